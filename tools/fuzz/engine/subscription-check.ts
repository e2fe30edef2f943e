import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { require } from '../violation.js';
import type { Wire } from './wire.js';
import type { World } from './world.js';

/**
 * When all requests are sent, the last request of each type lists the watched names of the authorities that use the
 * server. A server that several authorities share may have more names, and so may a request for routes.
 */
export function checkSubscribed(world: World): void {
  for (const { scope, authorities, entries } of world.snapshot()) {
    for (const wire of [...world.wires.values()].filter((one) => one.scope === scope)) {
      const users = authorities.filter(({ servers }) => {
        const active = servers.findIndex(({ isActive }) => isActive);
        return servers.slice(0, active + 1).some(({ uri }) => uri === wire.server);
      });
      const names = new Set(users.map(({ name }) => name));
      const watched = entries.filter(({ authority }) => names.has(authority));
      checkWire(wire, watched, authorities.length === 1);
    }
  }
}

function checkWire(wire: Wire, watched: readonly { typeUrl: string; name: string }[], isExact: boolean): void {
  const types = new Set([...wire.last.keys(), ...watched.map(({ typeUrl }) => typeUrl)]);
  for (const typeUrl of types) {
    const requested = new Set(wire.last.get(typeUrl)?.resourceNames);
    const expected = watched.filter((one) => one.typeUrl === typeUrl).map(({ name }) => name);
    const isComplete = expected.every((name) => requested.has(name));
    // R1.28, R7.3: if a listener names other routes, the old ones stay requested until the next request of the type. There is
    // none if another watcher has the new ones already.
    const mayHaveMore = !isExact || typeUrl === RESOURCE_TYPES.RDS;
    require(isComplete && (mayHaveMore || requested.size === expected.length), 'all-subscribed', () =>
      `${wire.server} ${typeUrl}: requested ${[...requested]}, watched ${expected}`);
  }
}

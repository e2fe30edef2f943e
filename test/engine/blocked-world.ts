import type { Event } from '../../src/core/event.js';
import { BlockingTransport } from '../../src/engine/blocking-transport.js';
import { Engine } from '../../src/engine/engine.js';
import { Session } from '../../src/engine/session.js';
import { json } from '../deps/follow.js';
import { Plane } from '../deps/plane.js';
import { noDns } from '../support/simulate.js';

/** A control plane whose servers have the same resources, and clients with a transport that can block servers. */
export function blockedWorld(servers: string[]) {
  const plane = new Plane({ servers });
  for (const server of plane.servers.values()) {
    server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('a'));
    server.set('CDS', 'a', json.eds('a')).set('EDS', 'a', json.endpoints('a'));
  }
  const blocking = new BlockingTransport({
    connect: ({ uri }, onState) => {
      const server = plane.servers.get(uri);
      if (server === undefined) throw new Error(`unknown server ${uri}`);
      return server.connect(onState);
    },
  });
  const events: Event[] = [];
  const startClient = () => {
    const engine = new Engine({
      servers: servers.map((uri) => ({ uri, creds: { type: 'insecure' }, callCreds: [], features: new Set<string>() })),
      node: { id: 'n', userAgentName: '', userAgentVersion: '' },
      seed: 1,
    });
    const ports = {
      clock: plane.clock,
      transport: blocking,
      dns: noDns,
      log: { append: (e: Event) => events.push(e) },
    };
    const session = new Session(engine, ports);
    session.dispatch({ kind: 'follow', scope: 's', target: 't', listener: 'l', authority: 'any' });
    return { snapshot: () => engine.snapshot()[0] };
  };
  return { plane, blocking, startClient, events };
}

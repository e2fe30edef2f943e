import type { ShortType } from '../../proto/resource-types.js';
import type { Need } from './need.js';
import type { TornResource } from './tear.js';
import { makeTear, type TearLog } from './tear-log.js';
import { OUTCOME, SAME_WITHOUT_A74 } from './tear-outcomes.js';

interface ServerPorts {
  resource(type: ShortType, name: string): TornResource;
  /** The authority of a resource; undefined if it cannot be requested. */
  authority(type: ShortType, name: string): string | undefined;
}

/** The key of a tear between the servers of an authority. */
export const MIXED_SERVERS = 'mixed-servers';

/** Detects tears that a fallback between servers causes (A71). */
export class ServerTears {
  readonly #log: TearLog;
  readonly #ports: ServerPorts;
  /** The servers that each authority fell back from, in order of time. */
  readonly #fallbacks = new Map<string, { at: number; from: string }[]>();

  constructor(log: TearLog, ports: ServerPorts) {
    this.#log = log;
    this.#ports = ports;
  }

  /** An authority fell back to a server of lower priority, or returned. */
  onFallback(authority: string, change: 'down' | 'up', from: string, to: string, now: number): void {
    const fallbacks = this.#fallbacks.get(authority) ?? [];
    this.#fallbacks.set(authority, fallbacks);
    if (change === 'down') {
      fallbacks.push({ at: now, from });
      return;
    }
    for (let last = fallbacks.pop(); last !== undefined; last = fallbacks.pop()) {
      if (last.from !== to) continue;
      const outcomes = { wouldHave: SAME_WITHOUT_A74, instead: OUTCOME.usedInTurn(authority, to, from) };
      const tear = makeTear({ kind: 'flap', begin: last.at, servers: [to, from], ...outcomes });
      this.#log.add({ ...tear, end: now, resolvedBy: 'arrived' });
      return;
    }
  }

  /** Checks for resources from several servers of one authority, which is possible only after a fallback. */
  check(needs: () => Iterable<Need>, now: number): void {
    if (this.#fallbacks.size === 0) return;
    const mixed = this.#mixed(needs());
    if (mixed === undefined) this.#log.close(MIXED_SERVERS, 'arrived', now);
    else if (this.#log.get(MIXED_SERVERS) === undefined) {
      const outcomes = { wouldHave: SAME_WITHOUT_A74, instead: OUTCOME.usedMixed };
      this.#log.open(MIXED_SERVERS, makeTear({ kind: MIXED_SERVERS, begin: now, resources: mixed, ...outcomes }));
    }
  }

  /** One resource per server, of the first authority with resources from several servers. */
  #mixed(needs: Iterable<Need>): TornResource[] | undefined {
    const byAuthority = new Map<string, Map<string, TornResource>>();
    for (const { type, name } of needs) {
      const resource = this.#ports.resource(type, name);
      const authority = this.#ports.authority(type, name);
      if (resource.server === undefined || authority === undefined) continue;
      const byServer = byAuthority.get(authority) ?? new Map<string, TornResource>();
      byAuthority.set(authority, byServer);
      if (!byServer.has(resource.server)) byServer.set(resource.server, resource);
    }
    const mixed = [...byAuthority.values()].find((byServer) => byServer.size > 1);
    return mixed && [...mixed.values()];
  }
}

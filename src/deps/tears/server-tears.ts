import { INSTEAD, SAME_WITHOUT_A74 } from './consequences.js';
import type { Need } from './need.js';
import type { TornResource, TornType } from './tear.js';
import { makeTear, type TearLog } from './tear-log.js';

interface ServerPorts {
  resource(type: TornType, name: string): TornResource;
  /** The authority of a resource; undefined if it cannot be requested. */
  authority(type: TornType, name: string): string | undefined;
}

/** The key of a tear between the servers of an authority. */
export const MIXED_SERVERS = 'mixed-servers';

/** Finds tears that a fallback between servers causes (A71). */
export class ServerTears {
  readonly #log: TearLog;
  readonly #ports: ServerPorts;
  /** The servers that each authority fell back from, the latest last. */
  readonly #away = new Map<string, { at: number; from: string }[]>();

  constructor(log: TearLog, ports: ServerPorts) {
    this.#log = log;
    this.#ports = ports;
  }

  /** An authority fell back to a server of lower priority, or returned. */
  moved(authority: string, change: 'down' | 'up', from: string, to: string, now: number): void {
    const away = this.#away.get(authority) ?? [];
    this.#away.set(authority, away);
    if (change === 'down') {
      away.push({ at: now, from });
      return;
    }
    for (let last = away.pop(); last !== undefined; last = away.pop()) {
      if (last.from !== to) continue;
      const texts = { wouldHave: SAME_WITHOUT_A74, instead: INSTEAD.usedInTurn(authority, to, from) };
      const tear = makeTear({ kind: 'flap', begin: last.at, servers: [to, from], ...texts });
      this.#log.add({ ...tear, end: now, resolvedBy: 'arrived' });
      return;
    }
  }

  /** Checks for resources from several servers of one authority. Only possible after a fallback. */
  check(needs: () => Iterable<Need>, now: number): void {
    if (this.#away.size === 0) return;
    const mixed = this.#mixed(needs());
    if (mixed === undefined) this.#log.close(MIXED_SERVERS, 'arrived', now);
    else if (this.#log.get(MIXED_SERVERS) === undefined) {
      const texts = { wouldHave: SAME_WITHOUT_A74, instead: INSTEAD.usedMixed };
      this.#log.open(MIXED_SERVERS, makeTear({ kind: MIXED_SERVERS, begin: now, resources: mixed, ...texts }));
    }
  }

  /** A resource of each server of an authority, if there are several. */
  #mixed(needs: Iterable<Need>): TornResource[] | undefined {
    const servers = new Map<string, Map<string, TornResource>>();
    for (const { type, name } of needs) {
      const resource = this.#ports.resource(type, name);
      const authority = this.#ports.authority(type, name);
      if (resource.server === undefined || authority === undefined) continue;
      const known = servers.get(authority) ?? new Map<string, TornResource>();
      servers.set(authority, known);
      if (!known.has(resource.server)) known.set(resource.server, resource);
    }
    const mixed = [...servers.values()].find((known) => known.size > 1);
    return mixed && [...mixed.values()];
  }
}

import { getOrAdd } from '../../base/get-or-add.js';

/** The names that each server was asked for, by type. Finds names that no server is asked for any more. */
export class SubscribedNames {
  readonly #byType = new Map<string, Map<string, readonly string[]>>();

  /** Returns the names that this request has dropped, except those that another server is still asked for. */
  request(server: string, typeUrl: string, names: readonly string[]): string[] {
    const byServer = getOrAdd(this.#byType, typeUrl, () => new Map<string, readonly string[]>());
    const before = byServer.get(server) ?? [];
    byServer.set(server, names);
    // Most requests are ACKs, which repeat the names.
    if (before.every((name, i) => name === names[i])) return [];
    const others = new Set([...byServer.values()].flat());
    return before.filter((name) => !others.has(name));
  }

  /** Returns the dropped names of all types: the client needs nothing from this server any more. */
  leave(server: string): { typeUrl: string; names: string[] }[] {
    return [...this.#byType.keys()].map((typeUrl) => ({ typeUrl, names: this.request(server, typeUrl, []) }));
  }
}

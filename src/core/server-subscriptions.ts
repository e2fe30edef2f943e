import { getOrAdd } from '../base/get-or-add.js';

/** The names that a client requests from one server. They outlive streams. */
export class ServerSubscriptions {
  readonly #types = new Map<string, Map<string, { isSettled: boolean }>>();

  add(typeUrl: string, name: string): void {
    getOrAdd(getOrAdd(this.#types, typeUrl, newNames), name, () => ({ isSettled: false }));
  }

  remove(typeUrl: string, name: string): void {
    this.#types.get(typeUrl)?.delete(name);
  }

  *all(): Iterable<{ typeUrl: string; name: string }> {
    for (const [typeUrl, names] of this.#types) for (const name of names.keys()) yield { typeUrl, name };
  }

  /** Whether a name of the type was ever requested. */
  hasType(typeUrl: string): boolean {
    return this.#types.has(typeUrl);
  }

  /** The server has sent these resources, or their timers have expired. */
  settle(typeUrl: string, names: Iterable<string>): void {
    const known = this.#types.get(typeUrl);
    for (const name of names) {
      const state = known?.get(name);
      if (state !== undefined) state.isSettled = true;
    }
  }

  isSettled(typeUrl: string, name: string): boolean {
    return this.#types.get(typeUrl)?.get(name)?.isSettled === true;
  }
}

function newNames(): Map<string, { isSettled: boolean }> {
  return new Map();
}

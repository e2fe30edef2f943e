import type { IpAddress } from './ip-address.js';

/**
 * Socket addresses, told apart by their binary form: spellings do not matter, ports and zones do. Ports are kept by
 * address, since small integers are much quicker to look up than the two put together.
 */
export class AddressSet {
  readonly #v4 = new Map<number, number | Set<number>>();
  readonly #v6 = new Set<string>();

  /** False if it was there already. */
  add(address: IpAddress): boolean {
    return address.family === 4 ? this.#addV4(address.v4 | 0, address.port) : this.#addV6(address);
  }

  #addV4(v4: number, port: number): boolean {
    const ports = this.#v4.get(v4);
    if (ports === undefined) this.#v4.set(v4, port);
    else if (typeof ports === 'number') {
      if (ports === port) return false;
      this.#v4.set(v4, new Set([ports, port]));
    } else {
      if (ports.has(port)) return false;
      ports.add(port);
    }
    return true;
  }

  #addV6({ bytes, port, zone }: Extract<IpAddress, { family: 6 }>): boolean {
    const before = this.#v6.size;
    this.#v6.add(`${bytes.join('.')} ${port} ${zone}`);
    return this.#v6.size > before;
  }
}

import type { IpAddress } from './ip-address.js';

/** So many are looked through quicker than maps are made for them: most clusters have fewer endpoints. */
const FEW = 16;

/**
 * Socket addresses, told apart by their binary form: spellings do not matter, ports and zones do. Ports are kept by
 * address, since small integers are much quicker to look up than the two put together.
 */
export class AddressSet {
  /** The first of them. */
  readonly #few: Extract<IpAddress, { family: 4 }>[] = [];
  #v4: Map<number, number | Set<number>> | undefined;
  #v6: Set<string> | undefined;

  /** False if it was there already. */
  add(address: IpAddress): boolean {
    if (address.family === 6) return this.#addV6(address);
    if (this.#v4 !== undefined) return addV4(this.#v4, address.v4, address.port);
    for (const { v4, port } of this.#few) if (v4 === address.v4 && port === address.port) return false;
    this.#few.push(address);
    if (this.#few.length === FEW) this.#v4 = mapped(this.#few);
    return true;
  }

  #addV6({ bytes, port, zone }: Extract<IpAddress, { family: 6 }>): boolean {
    this.#v6 ??= new Set();
    const before = this.#v6.size;
    this.#v6.add(`${bytes.join('.')} ${port} ${zone}`);
    return this.#v6.size > before;
  }
}

function mapped(addresses: readonly Extract<IpAddress, { family: 4 }>[]): Map<number, number | Set<number>> {
  const all = new Map<number, number | Set<number>>();
  for (const { v4, port } of addresses) addV4(all, v4, port);
  return all;
}

function addV4(all: Map<number, number | Set<number>>, address: number, port: number): boolean {
  const v4 = address | 0;
  const ports = all.get(v4);
  if (ports === undefined) all.set(v4, port);
  else if (typeof ports === 'number') {
    if (ports === port) return false;
    all.set(v4, new Set([ports, port]));
  } else {
    if (ports.has(port)) return false;
    ports.add(port);
  }
  return true;
}

import type { IpAddress } from './ip-address.js';

/** Up to this many addresses, a linear search is faster than a map. Most clusters have fewer endpoints. */
const MAX_LINEAR = 16;

/**
 * A set of socket addresses that compares their binary form: spelling does not matter, port and zone do. IPv4 ports are
 * keyed by address because maps with small integer keys are faster than maps with combined keys.
 */
export class AddressSet {
  /** IPv4 addresses, until there are `MAX_LINEAR` of them. */
  readonly #list: Extract<IpAddress, { family: 4 }>[] = [];
  #v4: Map<number, number | Set<number>> | undefined;
  #v6: Set<string> | undefined;

  /** Returns false if the set contains the address. */
  add(address: IpAddress): boolean {
    if (address.family === 6) return this.#addV6(address);
    if (this.#v4 !== undefined) return addV4(this.#v4, address.v4, address.port);
    for (const { v4, port } of this.#list) if (v4 === address.v4 && port === address.port) return false;
    this.#list.push(address);
    if (this.#list.length === MAX_LINEAR) this.#v4 = toMap(this.#list);
    return true;
  }

  #addV6({ bytes, port, zone }: Extract<IpAddress, { family: 6 }>): boolean {
    this.#v6 ??= new Set();
    const before = this.#v6.size;
    this.#v6.add(`${bytes.join('.')} ${port} ${zone}`);
    return this.#v6.size > before;
  }
}

function toMap(addresses: readonly Extract<IpAddress, { family: 4 }>[]): Map<number, number | Set<number>> {
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

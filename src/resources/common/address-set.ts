import type { IpAddress } from './ip-address.js';

/** Up to this many addresses, a linear search is faster than a hash table. Most clusters have fewer endpoints. */
const MAX_LINEAR = 16;

/** The table doubles when it is fuller than this. */
const MAX_LOAD = 0.75;

/** More steps are not a coincidence: a control plane chose addresses with the same hash. */
const MAX_STEPS = 1000;

/** A set of socket addresses that compares their binary form: spelling does not matter, port and zone do. */
export class AddressSet {
  /**
   * IPv4 addresses with their ports, as one number each: a list of `MAX_LINEAR`, then an open hash table. A `Map` of the
   * endpoints of a large load assignment would need more memory than the endpoints. 0 is an empty slot.
   */
  #v4 = new Float64Array(MAX_LINEAR);
  #count = 0;
  /** Instead of the table, for addresses with the same hash. V8 hashes texts with a secret. */
  #colliding: Set<string> | undefined;
  #v6: Set<string> | undefined;

  /** Returns false if the set contains the address. */
  add(address: IpAddress): boolean {
    return address.family === 6 ? this.#addV6(address) : this.addV4(address.v4, address.port);
  }

  /** Returns false if the set contains the IPv4 address. */
  addV4(v4: number, port: number): boolean {
    const key = v4 * 65_536 + port + 1;
    if (this.#v4.length > MAX_LINEAR) {
      if (this.#count > this.#v4.length * MAX_LOAD) this.#grow(this.#v4.length * 2);
      return this.#insert(key);
    }
    for (let i = 0; i < this.#count; i++) if (this.#v4[i] === key) return false;
    this.#v4[this.#count++] = key;
    if (this.#count === MAX_LINEAR) this.#grow(MAX_LINEAR * 4);
    return true;
  }

  #grow(size: number): void {
    const keys = this.#v4;
    this.#v4 = new Float64Array(size);
    this.#count = 0;
    for (const key of keys) if (key !== 0) this.#insert(key);
  }

  #insert(key: number): boolean {
    if (this.#colliding !== undefined) return addTo(this.#colliding, `${key}`);
    const slots = this.#v4;
    const mask = slots.length - 1;
    for (let slot = hashOf(key) & mask, steps = 0; steps < MAX_STEPS; slot = (slot + 1) & mask, steps++) {
      if (slots[slot] === key) return false;
      if (slots[slot] !== 0) continue;
      slots[slot] = key;
      this.#count++;
      return true;
    }
    this.#colliding = new Set(Array.from(slots, String));
    return addTo(this.#colliding, `${key}`);
  }

  #addV6({ bytes, port, zone }: Extract<IpAddress, { family: 6 }>): boolean {
    this.#v6 ??= new Set();
    return addTo(this.#v6, `${bytes.join('.')} ${port} ${zone}`);
  }
}

/** Returns false if the set contains the text. */
function addTo(set: Set<string>, text: string): boolean {
  const before = set.size;
  set.add(text);
  return set.size > before;
}

/** Spreads adjacent addresses over the table (the finalizer of MurmurHash3). */
function hashOf(key: number): number {
  let hash = (key % 0x1_0000_0000) ^ (key / 0x1_0000_0000);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

const SLAB_BYTES = 8192;

/**
 * Keeps copies of small pieces of bytes, many in one piece of memory: each on its own would cost more than it holds.
 * A piece that stays keeps no more than its slab.
 */
export class Slab {
  #memory = new Uint8Array(0);
  #used = 0;

  copy(bytes: Uint8Array): Uint8Array {
    const { length } = bytes;
    if (length > SLAB_BYTES / 4) return new Uint8Array(bytes);
    if (this.#used + length > this.#memory.length) {
      this.#memory = new Uint8Array(SLAB_BYTES);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += length;
    this.#memory.set(bytes, start);
    return this.#memory.subarray(start, this.#used);
  }
}

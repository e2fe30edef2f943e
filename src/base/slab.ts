const SLAB_BYTES = 8192;

/**
 * Copies small byte arrays into shared buffers, because separate buffers would have more overhead than contents.
 * A copy that stays in use keeps only its own slab alive.
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

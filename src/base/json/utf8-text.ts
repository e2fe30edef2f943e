/** Collects the bytes of a string, and checks that each byte is valid UTF-8 at its position. */
export class Utf8Text {
  readonly #bytes: number[] = [];
  #first = 0;
  #missing = 0;

  get isWhole(): boolean {
    return this.#missing === 0;
  }

  add(byte: number): boolean {
    if (this.#missing === 0) {
      const length = sequenceLength(byte);
      if (length === 0) return false;
      this.#missing = length - 1;
      this.#first = byte;
    } else {
      const [low, high] = this.#allowed();
      if (byte < low || byte > high) return false;
      this.#missing--;
    }
    this.#bytes.push(byte);
    return true;
  }

  addCodePoint(code: number): boolean {
    return [...new TextEncoder().encode(String.fromCodePoint(code))].every((byte) => this.add(byte));
  }

  text(): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(this.#bytes));
  }

  /** The range of the next byte. It excludes overlong sequences, surrogates and code points above U+10FFFF. */
  #allowed(): [number, number] {
    if (this.#missing === 2 && this.#first === 0xe0) return [0xa0, 0xbf];
    if (this.#missing === 2 && this.#first === 0xed) return [0x80, 0x9f];
    if (this.#missing === 3 && this.#first === 0xf0) return [0x90, 0xbf];
    if (this.#missing === 3 && this.#first === 0xf4) return [0x80, 0x8f];
    return [0x80, 0xbf];
  }
}

/** Returns the length of the sequence that begins with this byte; 0 for an invalid first byte. */
function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first <= 0xf4 ? 4 : 0;
}

import { JavaError } from './java-error.js';

const MAX_DEPTH = 100;

/** Reads the protobuf wire format as protobuf-java does, with its error messages. */
export class WireReader {
  readonly bytes: Uint8Array;
  pos = 0;
  end: number;
  depth = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.end = bytes.length;
  }

  /** Returns 0 at the end of the message. */
  tag(): number {
    if (this.pos === this.end) return 0;
    const tag = this.varint32();
    if (tag >>> 3 === 0) malformed('Protocol message contained an invalid tag (zero).');
    return tag;
  }

  /** An unsigned number of 64 bits. */
  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    return malformed('CodedInputStream encountered a malformed varint.');
  }

  /** The low 32 bits as an unsigned number. */
  varint32(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    return malformed('CodedInputStream encountered a malformed varint.');
  }

  fixed(length: 4 | 8): DataView {
    if (this.end - this.pos < length) truncated();
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.pos, length);
    this.pos += length;
    return view;
  }

  delimited(): Uint8Array {
    const length = this.varint32() | 0;
    if (length < 0)
      malformed('CodedInputStream encountered an embedded string or message which claimed to have negative size.');
    if (length > this.end - this.pos) truncated();
    this.pos += length;
    return this.bytes.subarray(this.pos - length, this.pos);
  }

  string(): string {
    const bytes = this.delimited();
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return malformed('Protocol message had invalid UTF-8.');
    }
  }

  /** Reads a nested message, whose fields `read` reads up to the new end. */
  message(read: () => void): void {
    this.enter();
    const length = this.varint32() | 0;
    if (length < 0)
      malformed('CodedInputStream encountered an embedded string or message which claimed to have negative size.');
    if (length > this.end - this.pos) truncated();
    const { end } = this;
    this.end = this.pos + length;
    read();
    this.depth--;
    this.end = end;
  }

  enter(): void {
    if (this.depth >= MAX_DEPTH)
      malformed(
        'Protocol message had too many levels of nesting.  May be malicious.  Use setRecursionLimit() to increase the recursion depth limit.',
      );
    this.depth++;
  }

  #byte(): number {
    if (this.pos >= this.end) truncated();
    return this.bytes[this.pos++] as number;
  }
}

export function malformed(detail: string): never {
  throw new JavaError('proto', detail);
}

function truncated(): never {
  malformed(
    'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length.',
  );
}

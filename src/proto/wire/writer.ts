import { WireType } from './reader.js';
import { writeUtf8 } from './utf8.js';

/**
 * Writes protobuf from the last byte to the first, so that the length of a submessage is known when its header is
 * written and no bytes are copied twice. Therefore fields must be written in descending order.
 */
export class Writer {
  #bytes = new Uint8Array(256);
  #start = this.#bytes.length;

  /** Returns the written bytes in wire order. */
  finish(): Uint8Array {
    return this.#bytes.slice(this.#start);
  }

  /** The number of written bytes. The size of a submessage is the difference before and after it. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  tag(field: number, wireType: number): void {
    this.varint32(((field << 3) | wireType) >>> 0);
  }

  varint32(value: number): void {
    let rest = value >>> 0;
    let size = 1;
    while (rest > 0x7f) {
      rest >>>= 7;
      size++;
    }
    let at = this.#reserve(size);
    rest = value >>> 0;
    for (; size > 1; size--) {
      this.#bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[at] = rest;
  }

  varint64(value: bigint): void {
    let rest = BigInt.asUintN(64, value);
    const out: number[] = [];
    while (rest > 0x7fn) {
      out.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    out.push(Number(rest));
    this.raw(out);
  }

  /** A negative int32 or enum takes ten bytes on the wire. */
  int32(value: number): void {
    if (value < 0) this.varint64(BigInt(value));
    else this.varint32(value);
  }

  fixed32(value: number): void {
    const at = this.#reserve(4);
    new DataView(this.#bytes.buffer).setUint32(at, value, true);
  }

  float(value: number): void {
    const at = this.#reserve(4);
    new DataView(this.#bytes.buffer).setFloat32(at, value, true);
  }

  fixed64(value: bigint): void {
    const at = this.#reserve(8);
    new DataView(this.#bytes.buffer).setBigUint64(at, BigInt.asUintN(64, value), true);
  }

  double(value: number): void {
    const at = this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(at, value, true);
  }

  raw(bytes: ArrayLike<number>): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  blobField(field: number, bytes: Uint8Array): void {
    this.raw(bytes);
    this.delimitedHeader(field, bytes.length);
  }

  stringField(field: number, text: string): void {
    this.blobField(field, writeUtf8(text));
  }

  messageField<T>(field: number, write: (writer: Writer, message: T) => void, message: T): void {
    const before = this.length;
    write(this, message);
    this.delimitedHeader(field, this.length - before);
  }

  delimitedHeader(field: number, length: number): void {
    this.varint32(length);
    this.tag(field, WireType.bytes);
  }

  #reserve(size: number): number {
    if (size > this.#start) this.#grow(size);
    this.#start -= size;
    return this.#start;
  }

  #grow(size: number): void {
    const used = this.length;
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, used + size));
    bytes.set(this.#bytes.subarray(this.#start), bytes.length - used);
    this.#start = bytes.length - used;
    this.#bytes = bytes;
  }
}

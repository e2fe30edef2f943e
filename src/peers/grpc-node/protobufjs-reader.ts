import { Malformed } from '../../proto/wire/malformed.js';
import { readUtf8 } from '../../proto/wire/utf8.js';
import { ThrownError } from './thrown-error.js';

/** protobufjs' limit for nested messages and groups. The message itself is level 0. */
export const MAX_DEPTH = 100;

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Reads the protobuf wire format as protobufjs 7 does: a varint of more than five bytes counts as ten, a text may be cut off
 * by the end of its message, and invalid UTF-8 is replaced.
 */
export class ProtobufJsReader {
  readonly bytes: Uint8Array;
  pos = 0;
  /** The end of the current message. A few reads of protobufjs go past it. */
  end: number;
  #view: DataView | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.end = bytes.length;
  }

  uint32(): number {
    const room = this.end - this.pos;
    if (room <= 0) throw this.#outOfRange();
    const first = this.#byte();
    if (first < 0x80) return first;
    return room < 5 ? this.#shortVarint(first) : this.#longVarint(first);
  }

  int32(): number {
    return this.uint32() | 0;
  }

  sint32(): number {
    const value = this.uint32();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Only the low 32 bits count. */
  bool(): boolean {
    return this.uint32() !== 0;
  }

  fixed32(): number {
    return this.#fixed(4, 4).getUint32(this.pos - 4, true);
  }

  sfixed32(): number {
    return this.#fixed(4, 4).getInt32(this.pos - 4, true);
  }

  float(): number {
    return this.#fixed(4, 4).getFloat32(this.pos - 4, true);
  }

  double(): number {
    return this.#fixed(8, 4).getFloat64(this.pos - 8, true);
  }

  fixed64(): bigint {
    return this.#fixed(8, 8).getBigUint64(this.pos - 8, true);
  }

  sfixed64(): bigint {
    return this.#fixed(8, 8).getBigInt64(this.pos - 8, true);
  }

  /** Within four bytes of the end, protobufjs reads at most four bytes of a varint of 64 bits. */
  uint64(): bigint {
    let low = 0;
    if (this.end - this.pos <= 4) {
      for (let i = 0; i < 4; i++) {
        if (i < 3 && this.pos >= this.end) throw this.#outOfRange();
        const byte = this.#byte();
        low |= (byte & 0x7f) << (7 * i);
        if (byte < 0x80) break;
      }
      return BigInt(low >>> 0);
    }
    for (let i = 0; i < 4; i++) {
      const byte = this.#byte();
      low |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) return BigInt(low >>> 0);
    }
    const fifth = this.#byte();
    low |= (fifth & 0x7f) << 28;
    const high = fifth < 0x80 ? (fifth & 0x7f) >> 4 : this.#highBits((fifth & 0x7f) >> 4);
    return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.uint64());
  }

  sint64(): bigint {
    const value = this.uint64();
    return (value >> 1n) ^ -(value & 1n);
  }

  /** Returns a view of the input. */
  blob(): Uint8Array {
    const length = this.uint32();
    const from = this.pos;
    if (from + length > this.end) throw this.#outOfRange(length);
    this.pos += length;
    return this.bytes.subarray(from, this.pos);
  }

  string(): string {
    const length = this.uint32();
    const from = this.pos;
    this.pos = Math.min(from + length, this.end);
    return readLenientUtf8(this.bytes, from, this.pos);
  }

  /** Skips an unknown field. */
  skip(wireType: number, depth: number): void {
    if (depth > MAX_DEPTH) throw new ThrownError('maximum nesting depth exceeded');
    if (wireType === 0) this.#skipVarint();
    else if (wireType === 1) this.#skipBytes(8);
    else if (wireType === 2) this.#skipBytes(this.uint32());
    else if (wireType === 3) this.#skipGroup(depth);
    else if (wireType === 5) this.#skipBytes(4);
    else throw new ThrownError(`invalid wire type ${wireType} at offset ${this.pos}`);
  }

  #skipGroup(depth: number): void {
    for (;;) {
      const wireType = this.uint32() & 7;
      if (wireType === 4) return;
      this.skip(wireType, depth + 1);
    }
  }

  #skipVarint(): void {
    do {
      if (this.pos >= this.end) throw this.#outOfRange();
    } while (this.#byte() >= 0x80);
  }

  #skipBytes(length: number): void {
    if (this.pos + length > this.end) throw this.#outOfRange(length);
    this.pos += length;
  }

  /** Reads the rest of a varint within four bytes of the end of the message. */
  #shortVarint(first: number): number {
    let value = first & 0x7f;
    for (let i = 1; i < 4; i++) {
      if (this.pos >= this.end) throw this.#outOfRange();
      const byte = this.#byte();
      value = (value | ((byte & 0x7f) << (7 * i))) >>> 0;
      if (byte < 0x80) return value;
    }
    throw this.#outOfRange();
  }

  #longVarint(first: number): number {
    let value = first & 0x7f;
    for (let i = 1; i < 5; i++) {
      const byte = this.#byte();
      value = (value | ((byte & (i === 4 ? 0x0f : 0x7f)) << (7 * i))) >>> 0;
      if (byte < 0x80) return value;
    }
    this.pos += 5;
    if (this.pos <= this.end) return value;
    this.pos = this.end;
    throw this.#outOfRange(10);
  }

  /** Reads the sixth and later bytes of a varint of 64 bits. */
  #highBits(from: number): number {
    let high = from;
    const isChecked = this.end - this.pos <= 4;
    for (let i = 0; i < 5; i++) {
      if (isChecked && this.pos >= this.end) throw this.#outOfRange();
      const byte = this.#byte();
      high |= (byte & 0x7f) << (7 * i + 3);
      if (byte < 0x80) return high;
    }
    throw new ThrownError('invalid varint encoding');
  }

  #fixed(size: number, named: number): DataView {
    if (this.pos + size > this.end) throw this.#outOfRange(named);
    this.pos += size;
    this.#view ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    return this.#view;
  }

  /** Past the end of the input, protobufjs reads zeros. */
  #byte(): number {
    return this.bytes[this.pos++] ?? 0;
  }

  #outOfRange(length = 1): ThrownError {
    return new ThrownError(`index out of range: ${this.pos} + ${length === 0 ? 1 : length} > ${this.end}`);
  }
}

function readLenientUtf8(bytes: Uint8Array, from: number, to: number): string {
  try {
    return readUtf8(bytes, from, to);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return lenient.decode(bytes.subarray(from, to));
  }
}

import { Malformed } from './malformed.js';
import { readTypeUrl } from './type-urls.js';
import { readUtf8 } from './utf8.js';

/** upb's nesting limit. The message itself is level 0; map entries and groups count; an Any restarts the count. */
const MAX_DEPTH = 100;

/** More elements than most resources have, and few enough to cost only some megabytes. */
const EAGER_ELEMENTS = 20_000;

export const WireType = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/**
 * Reads the protobuf wire format exactly as strictly as C-core's upb does: see "Wire format" in docs/architecture.md.
 * Every read stops at `end`, the end of the current message.
 */
export class Reader {
  readonly bytes: Uint8Array;
  pos: number;
  end: number;
  /** How many elements of lists are decoded at once. The others are decoded when they are used: see `MessageList`. */
  room = EAGER_ELEMENTS;
  // Not `#private`, because its run-time checks would slow down decoding by a tenth.
  private depth = MAX_DEPTH;
  private view: DataView | undefined;

  constructor(bytes: Uint8Array, pos = 0) {
    this.bytes = bytes;
    this.pos = pos;
    this.end = bytes.length;
  }

  fail(reason: string): never {
    throw new Malformed(reason, this.pos);
  }

  /** Reads the number and wire type of a field. upb accepts overlong tags of up to five bytes. */
  tag(): number {
    let byte = this.byte();
    if (byte < 0x80) return byte < 8 ? this.fail('field number 0') : byte;
    let value = byte & 0x7f;
    for (let factor = 0x80; factor <= 0x10000000; factor *= 0x80) {
      byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte >= 0x80) continue;
      if (value > 0xffffffff) break;
      return value < 8 ? this.fail('field number 0') : value;
    }
    return this.fail('tag out of range');
  }

  /** Reads a length and returns the end of the value that follows. */
  delimited(): number {
    const { pos } = this;
    const first = pos < this.end ? (this.bytes[pos] as number) : 0x80;
    if (first < 0x80) {
      this.pos = pos + 1;
      const stop = pos + 1 + first;
      return stop > this.end ? this.fail('length reaches past the end of the message') : stop;
    }
    let value = 0;
    for (let factor = 1; factor <= 0x10000000; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte >= 0x80) continue;
      const stop = this.pos + value;
      return stop > this.end ? this.fail('length reaches past the end of the message') : stop;
    }
    return this.fail('length out of range');
  }

  skipVarint(): void {
    for (let i = 0; i < 10; i++) if (this.byte() < 0x80) return;
    this.fail('varint of more than ten bytes');
  }

  /** Reads a varint, truncated to its low 32 bits, as an unsigned number. */
  uint32(): number {
    let byte = this.byte();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; shift < 70; shift += 7) {
      byte = this.byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    return this.fail('varint of more than ten bytes');
  }

  int32(): number {
    return this.uint32() | 0;
  }

  sint32(): number {
    const value = this.uint32();
    return (value >>> 1) ^ -(value & 1);
  }

  uint64(): bigint {
    let low = 0;
    let high = 0;
    for (let i = 0; i < 10; i++) {
      const byte = this.byte();
      const bits = byte & 0x7f;
      if (i < 4) low += bits * 2 ** (7 * i);
      else if (i === 4) {
        low += (bits & 0x0f) * 2 ** 28;
        high = bits >>> 4;
      } else if (i < 9) high += bits * 2 ** (7 * i - 32);
      else high += (bits & 1) * 2 ** 31;
      if (byte < 0x80) return high === 0 ? BigInt(low) : (BigInt(high) << 32n) | BigInt(low);
    }
    return this.fail('varint of more than ten bytes');
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.uint64());
  }

  sint64(): bigint {
    const value = this.uint64();
    return (value >> 1n) ^ -(value & 1n);
  }

  bool(): boolean {
    let isSet = false;
    for (let i = 0; i < 10; i++) {
      const byte = this.byte();
      // The tenth byte has only one significant bit.
      isSet ||= (i < 9 ? byte & 0x7f : byte & 1) !== 0;
      if (byte < 0x80) return isSet;
    }
    return this.fail('varint of more than ten bytes');
  }

  fixed32(): number {
    return this.fixed(4).getUint32(this.pos - 4, true);
  }

  sfixed32(): number {
    return this.fixed(4).getInt32(this.pos - 4, true);
  }

  float(): number {
    return this.fixed(4).getFloat32(this.pos - 4, true);
  }

  fixed64(): bigint {
    return this.fixed(8).getBigUint64(this.pos - 8, true);
  }

  sfixed64(): bigint {
    return this.fixed(8).getBigInt64(this.pos - 8, true);
  }

  double(): number {
    return this.fixed(8).getFloat64(this.pos - 8, true);
  }

  string(): string {
    const stop = this.delimited();
    const text = readUtf8(this.bytes, this.pos, stop);
    this.pos = stop;
    return text;
  }

  /** Reads a type URL. There are few different ones, so decoded strings are cached. */
  typeUrl(): string {
    const stop = this.delimited();
    const text = readTypeUrl(this.bytes, this.pos, stop);
    this.pos = stop;
    return text;
  }

  /** Returns a view of the input, not a copy. The caller must copy it to keep it. */
  blob(): Uint8Array {
    const stop = this.delimited();
    const view = this.bytes.subarray(this.pos, stop);
    this.pos = stop;
    return view;
  }

  /** Enters the next submessage and returns the argument for `leave`. */
  open(): number {
    return this.enter(this.delimited());
  }

  /** Reads a submessage into `target`. A second occurrence of a field is merged into the first. */
  message<T>(read: (reader: Reader, target: T) => T, target: T): T {
    const stop = this.delimited();
    const outer = this.enter(stop);
    const value = read(this, target);
    this.leave(outer);
    return value;
  }

  /** Reads the elements of a packed field. */
  packed(readOne: () => void): void {
    const stop = this.delimited();
    const outer = this.end;
    this.end = stop;
    while (this.pos < stop) readOne();
    this.end = outer;
  }

  /** Limits reading to a submessage that ends at `stop` and returns the argument for `leave`. */
  enter(stop: number): number {
    if (--this.depth < 0) this.fail(`more than ${MAX_DEPTH} nested messages`);
    const outer = this.end;
    this.end = stop;
    return outer;
  }

  leave(outer: number): void {
    this.end = outer;
    this.depth++;
  }

  /** Skips the value of an unknown field. */
  skip(tag: number): void {
    switch (tag & 7) {
      case WireType.varint:
        this.skipVarint();
        break;
      case WireType.fixed64:
        this.fixed(8);
        break;
      case WireType.bytes:
        this.pos = this.delimited();
        break;
      case WireType.startGroup:
        this.skipGroup(tag);
        break;
      case WireType.fixed32:
        this.fixed(4);
        break;
      case WireType.endGroup:
        this.fail('unexpected end of a group');
        break;
      default:
        this.fail(`invalid wire type ${tag & 7}`);
    }
  }

  private skipGroup(start: number): void {
    const outer = this.enter(this.end);
    while (this.pos < this.end) {
      const tag = this.tag();
      if (tag === start + 1) {
        this.leave(outer);
        return;
      }
      this.skip(tag);
    }
    this.fail('unterminated group');
  }

  private fixed(size: number): DataView {
    if (this.pos + size > this.end) this.fail('message ends inside a value');
    this.pos += size;
    this.view ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    return this.view;
  }

  private byte(): number {
    if (this.pos >= this.end) this.fail('message ends inside a value');
    return this.bytes[this.pos++] as number;
  }
}

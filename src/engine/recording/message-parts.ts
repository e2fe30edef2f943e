import { sameBytes } from '../../base/bytes.js';
import { Malformed } from '../../proto/wire/malformed.js';
import { Reader } from '../../proto/wire/reader.js';

/** A reference to a shorter part would save nothing. */
const MIN_BYTES = 24;

/** Limits the memory for parts that later messages can refer to. */
const MAX_REMEMBERED_BYTES = 256 * 1024 * 1024;

/** A range of a message that is new, and the lengths of its parts. Each part gets the next number. */
interface NewParts {
  from: number;
  to: number;
  lengths: number[];
}

/** A reference to consecutive parts of earlier messages. */
type PartReference = [first: number, count: number];

interface WrittenPart {
  number: number;
  /** The buffer that contains it: the message at first, then a copy of its range. */
  bytes: Uint8Array;
  from: number;
  to: number;
}

type Parts = (NewParts | PartReference)[];

/**
 * Splits messages at field boundaries, and replaces repeated parts by references. A control plane that changes one of
 * ten thousand clusters sends them all, and one that ignores a NACK repeats its message thousands of times a second.
 */
export class MessageParts {
  readonly #known = new Map<number, WrittenPart>();
  readonly #limit: number;
  #remembered = 0;
  #count = 0;

  constructor(limit = MAX_REMEMBERED_BYTES) {
    this.#limit = limit;
  }

  cut(bytes: Uint8Array): Parts {
    const parts: Parts = [];
    const added: WrittenPart[] = [];
    const reader = new Reader(bytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    /** Start of the current group of short fields, which form one part. */
    let shortFrom = 0;
    while (reader.pos < bytes.length) {
      const from = reader.pos;
      const to = endOfField(reader);
      if (to - from < MIN_BYTES) continue;
      if (shortFrom < from) this.#addNew(parts, shortFrom, from);
      shortFrom = to;
      const hash = hashOf(view, from, to);
      const number = this.#find(hash, bytes, from, to);
      if (number !== undefined) addReference(parts, number);
      else {
        const remembered = { number: this.#addNew(parts, from, to), bytes, from, to };
        this.#known.set(hash, remembered);
        added.push(remembered);
      }
    }
    if (shortFrom < bytes.length) this.#addNew(parts, shortFrom, bytes.length);
    this.#remember(parts, added);
    return parts;
  }

  #addNew(parts: Parts, from: number, to: number): number {
    const last = parts.at(-1);
    if (last === undefined || Array.isArray(last)) parts.push({ from, to, lengths: [to - from] });
    else {
      last.to = to;
      last.lengths.push(to - from);
    }
    return this.#count++;
  }

  #find(hash: number, bytes: Uint8Array, from: number, to: number): number | undefined {
    const known = this.#known.get(hash);
    if (known === undefined || known.to - known.from !== to - from) return undefined;
    const isSame = sameBytes(known.bytes.subarray(known.from, known.to), bytes.subarray(from, to));
    return isSame ? known.number : undefined;
  }

  /** Copies each range once: a view would keep the message in memory, and one copy per field is slow. */
  #remember(parts: Parts, added: readonly WrittenPart[]): void {
    const ranges = parts.filter((part) => !Array.isArray(part)).values();
    let range: NewParts | undefined;
    let copy = new Uint8Array();
    for (const one of added) {
      while (range === undefined || range.to <= one.from) {
        range = ranges.next().value as NewParts;
        copy = new Uint8Array(one.bytes.subarray(range.from, range.to));
      }
      one.bytes = copy;
      one.from -= range.from;
      one.to -= range.from;
      this.#remembered += one.to - one.from;
    }
    if (this.#remembered > this.#limit) this.#forget();
  }

  /** Removes the oldest parts until half of the limit is left. */
  #forget(): void {
    for (const [hash, { from, to }] of this.#known) {
      if (this.#remembered <= this.#limit / 2) return;
      this.#known.delete(hash);
      this.#remembered -= to - from;
    }
    this.#remembered = 0;
  }
}

function addReference(parts: Parts, number: number): void {
  const last = parts.at(-1);
  if (Array.isArray(last) && last[0] + last[1] === number) last[1]++;
  else parts.push([number, 1]);
}

/** Skips one field. Bytes that are not a field extend to the end of the message. */
function endOfField(reader: Reader): number {
  try {
    reader.skip(reader.tag());
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    reader.pos = reader.end;
  }
  return reader.pos;
}

/** A hash to find candidates for equality; the caller compares the bytes. */
function hashOf(view: DataView, from: number, to: number): number {
  let hash = to - from;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < to; at++) hash = Math.imul(hash ^ view.getUint8(at), 0x01000193);
  return hash;
}

import { sameBytes } from '../../base/bytes.js';
import { Slab } from '../../base/slab.js';
import { Malformed } from '../../proto/wire/malformed.js';
import { Reader } from '../../proto/wire/reader.js';

/** Below this, a reference is no shorter. */
const MIN_BYTES = 24;

/** How much of what was written is remembered, so that it need not be written again. */
const MAX_REMEMBERED_BYTES = 256 * 1024 * 1024;

/** A stretch of a message that is new, and the lengths of its parts; each gets the next number. */
export interface NewParts {
  from: number;
  to: number;
  lengths: number[];
}

/** So many parts that were written before, from a number on. */
export type OldParts = [first: number, count: number];

interface Remembered {
  number: number;
  bytes: Uint8Array;
}

/**
 * Cuts messages where their fields begin, and remembers the parts: a control plane that changes one of ten thousand
 * clusters sends them all, and one that does not take no for an answer sends the same thousands of times a second.
 */
export class MessageParts {
  readonly #known = new Map<number, Remembered>();
  readonly #limit: number;
  readonly #slab = new Slab();
  #remembered = 0;
  #written = 0;

  constructor(limit = MAX_REMEMBERED_BYTES) {
    this.#limit = limit;
  }

  cut(bytes: Uint8Array): (NewParts | OldParts)[] {
    const parts: (NewParts | OldParts)[] = [];
    const reader = new Reader(bytes);
    /** Short fields are one part with their neighbours. */
    let shortFrom = 0;
    while (reader.pos < bytes.length) {
      const begin = reader.pos;
      const end = endOfField(reader);
      if (end - begin < MIN_BYTES) continue;
      if (shortFrom < begin) this.#write(parts, shortFrom, begin);
      this.#add(parts, bytes, begin, end);
      shortFrom = end;
    }
    if (shortFrom < bytes.length) this.#write(parts, shortFrom, bytes.length);
    return parts;
  }

  #write(parts: (NewParts | OldParts)[], from: number, to: number): number {
    const last = parts.at(-1);
    if (last === undefined || Array.isArray(last)) parts.push({ from, to, lengths: [to - from] });
    else {
      last.to = to;
      last.lengths.push(to - from);
    }
    return this.#written++;
  }

  #add(parts: (NewParts | OldParts)[], message: Uint8Array, from: number, to: number): void {
    const field = message.subarray(from, to);
    const hash = hashOf(field);
    const known = this.#known.get(hash);
    if (known !== undefined && sameBytes(known.bytes, field)) {
      const last = parts.at(-1);
      if (Array.isArray(last) && last[0] + last[1] === known.number) last[1]++;
      else parts.push([known.number, 1]);
      return;
    }
    const number = this.#write(parts, from, to);
    // A copy: a view would keep the whole message.
    const bytes = this.#slab.copy(field);
    this.#remembered += bytes.length - (known?.bytes.length ?? 0);
    this.#known.set(hash, { number, bytes });
    if (this.#remembered > this.#limit) this.#forget();
  }

  /** The oldest go first. */
  #forget(): void {
    for (const [hash, { bytes }] of this.#known) {
      if (this.#remembered <= this.#limit / 2) return;
      this.#known.delete(hash);
      this.#remembered -= bytes.length;
    }
  }
}

/** Goes past one field; what is no field is one piece with the rest. */
function endOfField(reader: Reader): number {
  try {
    reader.skip(reader.tag());
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    reader.pos = reader.end;
  }
  return reader.pos;
}

/** Finds what may be the same; whether it is, is seen by comparing. */
function hashOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = bytes.length & ~3;
  let hash = bytes.length;
  for (let i = 0; i < words; i += 4) {
    hash = Math.imul(hash ^ view.getInt32(i, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (let i = words; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash;
}

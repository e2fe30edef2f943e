import { sameBytes } from '../../base/bytes.js';
import { Malformed } from '../../proto/wire/malformed.js';
import { Reader } from '../../proto/wire/reader.js';

/** Below this, a reference is no shorter. */
const MIN_BYTES = 24;

/** How much of what was written is remembered, so that it need not be written again. */
const MAX_REMEMBERED_BYTES = 256 * 1024 * 1024;

/** A stretch of a message that is new, and the lengths of its parts; each gets the next number. */
interface NewParts {
  from: number;
  to: number;
  lengths: number[];
}

/** So many parts that were written before, from a number on. */
type PartReference = [first: number, count: number];

interface WrittenPart {
  number: number;
  /** What it stands in: the message, then a copy of the stretch that was new. */
  bytes: Uint8Array;
  from: number;
  to: number;
}

type Parts = (NewParts | PartReference)[];

/**
 * Cuts messages where their fields begin, and remembers the parts: a control plane that changes one of ten thousand
 * clusters sends them all, and one that does not take no for an answer sends the same thousands of times a second.
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
    /** Short fields are one part with their neighbours. */
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

  /** One copy a stretch: a view would keep the whole message, and one a field takes time. */
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

  /** The oldest go first, until half is left. */
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

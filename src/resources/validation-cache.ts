import { sameBytes } from '../base/bytes.js';
import { Slab } from '../base/slab.js';
import { looseText } from '../proto/wire/utf8.js';
import type { ValidatedBytes } from './registry.js';

const NAME_TAG = 10;

/** Bytes with what was said about them. */
export interface CachedValidation {
  bytes: Uint8Array;
  validated: ValidatedBytes;
  /** The bytes are a copy, and may be kept. */
  isOwn: boolean;
}

interface TypeMemory {
  byName: Map<string, CachedValidation>;
  inOrder: (CachedValidation | undefined)[];
}

/**
 * What was said about the resources seen last, so that the same bytes are not judged twice: control planes send whole
 * sets again when one resource changes. One memory serves one context, since the context decides as well. Only what
 * somebody watches is remembered, so that a server cannot fill it, and in bytes of its own, so that a small resource
 * does not keep a large response.
 */
export class ValidationCache {
  readonly #byType = new Map<string, TypeMemory>();
  readonly #slab = new Slab();
  readonly #isWatched: (type: string, name: string) => boolean;

  constructor(isWatched: (type: string, name: string) => boolean) {
    this.#isWatched = isWatched;
  }

  /** The verdict on these very bytes, if they are those that were judged last in their place or under their name. */
  recall(type: string, index: number, bytes: Uint8Array): CachedValidation | undefined {
    const known = this.#byType.get(type);
    if (known === undefined) return undefined;
    const here = known.inOrder[index];
    if (here !== undefined && sameBytes(here.bytes, bytes)) return here;
    const named = known.byName.get(nameIn(bytes));
    if (named === undefined || !sameBytes(named.bytes, bytes)) return undefined;
    known.inOrder[index] = named;
    return named;
  }

  remember(type: string, index: number, bytes: Uint8Array, validated: ValidatedBytes): CachedValidation {
    const name = nameIn(bytes);
    if (!this.#isWatched(type, name)) return { bytes, validated, isOwn: false };
    const known = this.#byType.get(type) ?? { byName: new Map(), inOrder: [] };
    this.#byType.set(type, known);
    const entry: CachedValidation = { bytes: this.#slab.copy(bytes), validated, isOwn: true };
    known.byName.set(name, entry);
    known.inOrder[index] = entry;
    return entry;
  }

  /** Nobody watches it any more. */
  forget(type: string, name: string): void {
    this.#byType.get(type)?.byName.delete(name);
  }
}

/** Whoever encodes a message in order puts the name first; what has it elsewhere is judged each time. */
function nameIn(bytes: Uint8Array): string {
  if (bytes[0] !== NAME_TAG) return '';
  const first = bytes[1] ?? 0;
  const second = bytes[2] ?? 0;
  const isLong = first > 127;
  if (isLong && second > 127) return '';
  const start = isLong ? 3 : 2;
  const length = isLong ? (first & 127) | (second << 7) : first;
  return start + length <= bytes.length ? looseText(bytes, start, start + length) : '';
}

import { sameBytes } from '../base/bytes.js';
import { Slab } from '../base/slab.js';
import { decodeOrEmpty } from '../proto/wire/utf8.js';
import type { ValidatedBytes } from './registry.js';
import type { ValidatedResource } from './response-validator.js';

const NAME_TAG = 10;

/** The bytes of a resource with the result of its validation. */
export interface CachedValidation {
  bytes: Uint8Array;
  validated: ValidatedBytes;
  /** The bytes are a copy, so the caller may keep them. */
  isOwn: boolean;
  /** The accepted resource, which is the same each time the bytes arrive at the same index of a response. */
  accepted?: ValidatedResource;
}

interface CachedType {
  byName: Map<string, CachedValidation>;
  byIndex: (CachedValidation | undefined)[];
}

/**
 * Caches validation results, so that identical bytes are validated once: control planes often resend all resources when
 * one changes. A cache serves one context, because the result depends on it. It stores only watched resources, so that
 * a server cannot fill it, and copies their bytes, so that a small resource does not keep a large response in memory.
 */
export class ValidationCache {
  readonly #byType = new Map<string, CachedType>();
  readonly #slab = new Slab();
  readonly #isWatched: (type: string, name: string) => boolean;

  constructor(isWatched: (type: string, name: string) => boolean) {
    this.#isWatched = isWatched;
  }

  /** Returns the cached result if these bytes equal the last ones at the same index or with the same name. */
  recall(type: string, index: number, bytes: Uint8Array): CachedValidation | undefined {
    const cached = this.#byType.get(type);
    if (cached === undefined) return undefined;
    const atIndex = cached.byIndex[index];
    if (atIndex !== undefined && sameBytes(atIndex.bytes, bytes)) return atIndex;
    const underName = cached.byName.get(nameIn(bytes));
    if (underName === undefined || !sameBytes(underName.bytes, bytes)) return undefined;
    cached.byIndex[index] = underName;
    return underName;
  }

  remember(type: string, index: number, bytes: Uint8Array, validated: ValidatedBytes): CachedValidation {
    const name = nameIn(bytes);
    if (!this.#isWatched(type, name)) return { bytes, validated, isOwn: false };
    const cached = this.#byType.get(type) ?? { byName: new Map(), byIndex: [] };
    this.#byType.set(type, cached);
    const entry: CachedValidation = { bytes: this.#slab.copy(bytes), validated, isOwn: true };
    cached.byName.set(name, entry);
    cached.byIndex[index] = entry;
    return entry;
  }

  /** Removes a resource that is no longer watched. */
  forget(type: string, name: string): void {
    this.#byType.get(type)?.byName.delete(name);
  }
}

/**
 * Reads the name from the start of an encoded message, where encoders that write fields in order put it. Returns '' if
 * the name is elsewhere; such resources are validated each time.
 */
function nameIn(bytes: Uint8Array): string {
  if (bytes[0] !== NAME_TAG) return '';
  const first = bytes[1] ?? 0;
  const second = bytes[2] ?? 0;
  const isLong = first > 127;
  if (isLong && second > 127) return '';
  const start = isLong ? 3 : 2;
  const length = isLong ? (first & 127) | (second << 7) : first;
  return start + length <= bytes.length ? decodeOrEmpty(bytes, start, start + length) : '';
}

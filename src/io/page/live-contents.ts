import type { CacheEntry } from '../../core/resource-cache.js';
import type { RecordedVersion } from '../../inspect/recorded-versions.js';
import type { ClientContext } from '../../resources/context.js';

/** How pages identify and show the contents of resources. */
export interface ContentFormat {
  keyOf(typeUrl: string, bytes: Uint8Array): string;
  /** Returns JSON text, without secrets unless they are to be shown. */
  print(version: RecordedVersion, context: ClientContext): string;
}

/** The versions of resources that a live page can ask for, by key. */
export class LiveContents {
  readonly #format: ContentFormat;
  readonly #context: ClientContext;
  readonly #versions = new Map<Uint8Array, RecordedVersion>();
  /** Computed when a page asks for contents. */
  readonly #keys = new WeakMap<Uint8Array, string>();

  constructor(format: ContentFormat, context: ClientContext) {
    this.#format = format;
    this.#context = context;
  }

  /** The number of versions that are kept. */
  get size(): number {
    return this.#versions.size;
  }

  add({ typeUrl, bytes, rejected }: CacheEntry): void {
    if (bytes !== undefined) this.#versions.set(bytes, { typeUrl, bytes, isRejected: false });
    if (rejected !== undefined) this.#versions.set(rejected, { typeUrl, bytes: rejected, isRejected: true });
  }

  /** Keeps only the versions of these entries. */
  keepOnly(entries: Iterable<CacheEntry>): void {
    this.#versions.clear();
    for (const entry of entries) this.add(entry);
  }

  /** The contents of a version as JSON text; undefined if it is not kept any more. */
  print(key: string): string | undefined {
    for (const version of this.#versions.values())
      if (this.#keyOf(version) === key) return this.#format.print(version, this.#context);
    return undefined;
  }

  #keyOf({ typeUrl, bytes }: RecordedVersion): string {
    const known = this.#keys.get(bytes) ?? this.#format.keyOf(typeUrl, bytes);
    this.#keys.set(bytes, known);
    return known;
  }
}

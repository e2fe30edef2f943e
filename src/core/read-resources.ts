import type { Status } from '../base/status.js';
import type { XdsResource } from '../resources/resource.js';
import type { CachedResource } from './cache-entry.js';

/** What a response says about a watched resource. */
export interface ReadResource {
  entry: CachedResource;
  update:
    | { kind: 'valid'; resource: XdsResource; bytes: Uint8Array }
    | { kind: 'invalid'; message: string; bytes: Uint8Array }
    | { kind: 'error'; status: Status };
}

/** C-core handles every occurrence of a name (R1.25). Of more than this many, only the last one is handled. */
const MAX_OCCURRENCES = 100;

/** The parts of a response that affect the cache. Their number does not depend on the number of other parts. */
export class ReadResources {
  readonly changes: ReadResource[] = [];
  /** Names of watched resources in the response, valid or not (R6.9). */
  readonly mentioned = new Set<string>();
  /** The first few resources that have no watcher. */
  readonly unrequested: string[] = [];
  invalid = 0;
  /** The last occurrence of each resource that occurs more than once. */
  readonly #repeated = new Map<CachedResource, { count: number; change: ReadResource }>();

  add(entry: CachedResource, update: ReadResource['update']): void {
    const before = this.mentioned.size;
    this.mentioned.add(entry.name);
    const isFirst = this.mentioned.size > before;
    const last = isFirst ? undefined : this.#repeated.get(entry);
    if (last !== undefined && ++last.count > MAX_OCCURRENCES) {
      last.change.update = update;
      return;
    }
    const change = { entry, update };
    this.changes.push(change);
    if (last !== undefined) last.change = change;
    else if (!isFirst) this.#repeated.set(entry, { count: 2, change });
  }
}

/** The last occurrence of each resource, or its last valid one. */
export function lastOccurrences(changes: readonly ReadResource[], prefersValid: boolean): Iterable<ReadResource> {
  const last = new Map<CachedResource, ReadResource>();
  for (const change of changes) {
    const isWorse = last.get(change.entry)?.update.kind === 'valid' && change.update.kind !== 'valid';
    if (!prefersValid || !isWorse) last.set(change.entry, change);
  }
  return last.values();
}

import { statusName } from '../../base/status.js';
import type { CacheStatus } from '../../core/cache-status.js';
import type { Event } from '../../core/event.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { shortType } from '../../proto/resource-types.js';

/** A resource that had a cache status at least once. */
export interface ObservedState {
  type: string;
  name: string;
  /** The error, if there was one. */
  why: string;
}

/** All cache statuses that the resources of a scope have had. */
export class ObservedStates {
  readonly #byStatus = new Map<CacheStatus, Map<string, ObservedState>>();

  observe(event: Event): void {
    if (event.kind === 'resource') this.#add(event.status, event, '');
    if (event.kind !== 'error' || event.cache === undefined) return;
    this.#add(event.cache, event, `${statusName(event.status.code)}: ${event.status.message}`);
  }

  /** The resources that have had this status, in order of occurrence. */
  in(status: CacheStatus): ObservedState[] {
    return [...(this.#byStatus.get(status)?.values() ?? [])];
  }

  #add(status: CacheStatus, { typeUrl, name }: Pick<CacheEntry, 'typeUrl' | 'name'>, why: string): void {
    const byName = this.#byStatus.get(status) ?? new Map<string, ObservedState>();
    this.#byStatus.set(status, byName);
    const key = `${typeUrl} ${name}`;
    if (!byName.has(key)) byName.set(key, { type: shortType(typeUrl), name, why });
  }
}

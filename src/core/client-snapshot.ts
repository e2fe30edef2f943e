import type { Authority } from './authority.js';
import type { ClientMetrics } from './metrics.js';
import type { CacheEntry } from './resource-cache.js';

/** The state of a client at one moment. */
export interface ClientSnapshot {
  scope: string;
  authorities: ReturnType<Authority['snapshot']>[];
  entries: readonly CacheEntry[];
  metrics: ClientMetrics;
}

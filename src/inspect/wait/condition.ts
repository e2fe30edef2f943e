import type { CacheStatus } from '../../core/cache-status.js';
import type { RESOURCE_TYPES } from '../../proto/resource-types.js';

export type Comparator = '>=' | '<=' | '!=' | '=' | '<' | '>';

interface OfResource {
  type: keyof typeof RESOURCE_TYPES;
  name: string;
}

/** Something to wait for; `text` is how it was typed. */
export type Condition = { text: string } & (
  | { kind: 'ready' | 'acked' }
  | { kind: 'stable'; forMs: number }
  | ({ kind: 'status'; isNot: boolean; status: CacheStatus } & OfResource)
  | ({ kind: 'version'; isNot: boolean; version: string } & OfResource)
  | ({ kind: 'endpoints'; comparator: Comparator; count: number } & OfResource)
);

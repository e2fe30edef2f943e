import { CACHE_STATUSES } from '../core/cache-status.js';

/** All states that a process may report for its resources, or a control plane for those of its clients. */
export const REMOTE_STATES: readonly string[] = [...CACHE_STATUSES, 'UNKNOWN', 'SYNCED', 'NOT_SENT', 'STALE', 'ERROR'];

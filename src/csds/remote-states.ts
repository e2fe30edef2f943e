import { CACHE_STATUSES } from '../core/cache-status.js';

/** All that a process may say of its resources, or a control plane of its clients'. */
export const REMOTE_STATES: readonly string[] = [...CACHE_STATUSES, 'UNKNOWN', 'SYNCED', 'NOT_SENT', 'STALE', 'ERROR'];

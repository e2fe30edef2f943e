/** As CSDS names them. */
export const CACHE_STATUSES = ['REQUESTED', 'ACKED', 'NACKED', 'DOES_NOT_EXIST', 'RECEIVED_ERROR', 'TIMEOUT'] as const;

/** UNKNOWN is what others say of theirs: Java before it has asked, control planes of their clients. */
export type CacheStatus = (typeof CACHE_STATUSES)[number] | 'UNKNOWN';

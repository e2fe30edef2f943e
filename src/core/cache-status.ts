/** As CSDS names them. */
export const CACHE_STATUSES = ['REQUESTED', 'ACKED', 'NACKED', 'DOES_NOT_EXIST', 'RECEIVED_ERROR', 'TIMEOUT'] as const;

/** UNKNOWN appears in CSDS of others: Java before its first request, control planes about their clients. */
export type CacheStatus = (typeof CACHE_STATUSES)[number] | 'UNKNOWN';

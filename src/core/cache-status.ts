/** As CSDS names them. */
export const CACHE_STATUSES = ['REQUESTED', 'ACKED', 'NACKED', 'DOES_NOT_EXIST', 'RECEIVED_ERROR', 'TIMEOUT'] as const;

export type CacheStatus = (typeof CACHE_STATUSES)[number];

/** The status of a cache entry, with the names of CSDS. */
export const CACHE_STATUSES = ['REQUESTED', 'ACKED', 'NACKED', 'DOES_NOT_EXIST', 'RECEIVED_ERROR', 'TIMEOUT'] as const;

/** UNKNOWN occurs only in CSDS of other programs: gRPC Java before its first request, and control planes. */
export type CacheStatus = (typeof CACHE_STATUSES)[number] | 'UNKNOWN';

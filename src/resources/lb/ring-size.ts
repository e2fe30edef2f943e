/** The largest ring_hash ring that gRPC and Envoy accept. It is also the default maximum in xDS. */
export const MAX_RING_SIZE = 8_388_608n;

/** The minimum ring size if the resource does not set one. */
export const DEFAULT_MIN_RING_SIZE = 1024n;

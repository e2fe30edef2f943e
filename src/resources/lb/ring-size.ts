/** The largest ring of the ring_hash policy that gRPC and Envoy accept, which is also the default maximum in xDS. */
export const MAX_RING_SIZE = 8_388_608n;

/** The minimum size of a ring, if the resource does not set one. */
export const DEFAULT_MIN_RING_SIZE = 1024n;

const MIB = 1024 * 1024;

/** The largest message that gRPC receives by default, and C-core always (D18). */
export const GRPC_MESSAGE_LIMIT_BYTES = 4 * MIB;

/** The largest response that this tool reads: a wildcard response of a large mesh exceeds gRPC's default (D18). */
export const MAX_RESPONSE_BYTES = 128 * MIB;

const MIB = 1024 * 1024;

/** The largest message that gRPC receives by default, and C-core always (D18). */
export const GRPC_MESSAGE_LIMIT_BYTES = 4 * MIB;

/**
 * The longest NACK message. C-core has no limit, but a server with gRPC's default limit does not receive a longer one.
 */
export const MAX_NACK_LENGTH = 4 * MIB;

/** The largest response that this tool reads: a wildcard response of a large mesh exceeds gRPC's default (D18). */
export const MAX_RESPONSE_BYTES = 128 * MIB;

/** The most files and folders below a folder that this tool reads; links count too. */
export const MAX_FOLDER_ENTRIES = 100_000;

/** The deepest folder below a folder that this tool reads. */
export const MAX_FOLDER_DEPTH = 100;

/**
 * The size and the limit in grpc-js' message for a response that is too large: `a response of 130 MiB, which is more than
 * the limit of 128 MiB`. Undefined for other messages.
 */
export function overLimitText(message: string): string | undefined {
  const [, size, limit] = /^Received message larger than max \((\d+) vs (\d+)\)/.exec(message) ?? [];
  if (size === undefined || limit === undefined) return undefined;
  return `a response of ${mib(size)}, which is more than the limit of ${mib(limit)}`;
}

/** Rounded up, so that a size over the limit does not look like the limit. */
function mib(bytes: string): string {
  return `${Math.ceil((Number(bytes) / MIB) * 10) / 10} MiB`;
}

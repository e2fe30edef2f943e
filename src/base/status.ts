/** gRPC status codes by number. */
export const STATUS_CODES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

export type StatusName = (typeof STATUS_CODES)[number];

/** The status of an RPC, or the error of a resource. */
export interface Status {
  code: number;
  message: string;
}

export function statusCode(name: StatusName): number {
  return STATUS_CODES.indexOf(name);
}

/** R8.5: CSDS contains the message of an error, not its code. Codes on the wire have 32 bits, so this value is unused. */
export const UNKNOWN_CODE = 2 ** 32;

/** `UNAVAILABLE`, or `code 42` for a number that gRPC does not define. */
export function statusName(code: number): string {
  if (code === UNKNOWN_CODE) return 'an error';
  return STATUS_CODES[code] ?? `code ${code}`;
}

/** `PERMISSION_DENIED "not you"` */
export function quotedStatus(code: string, message: string): string {
  // grpc-js repeats the code if a server sends no message.
  return message === '' || message === code ? code : `${code} "${message}"`;
}

import { type Status, statusCode } from '../base/status.js';
import type { AppliedResponse } from './response-store.js';

const NO_NAMES: readonly string[] = [];

/** The fields of a response event that tell what the client did with the response. */
export function responseFacts(
  applied: AppliedResponse | undefined,
  bytes: number,
  stops: boolean,
  missing: readonly string[],
) {
  const { nack: refused, added = 0, changed = 0, unrequested = NO_NAMES } = applied ?? {};
  return { bytes, stops, missing, refused, added, changed, unrequested };
}

/** The fields of a timer event when a resource timer expires. */
export const EXPIRED = { change: 'expired', milliseconds: undefined } as const;

/** The status with which a client ends a stream when a message cannot be decoded. */
export const MALFORMED: Status = { code: statusCode('CANCELLED'), message: 'Failed to read message.' };

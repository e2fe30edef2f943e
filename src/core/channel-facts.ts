import { type Status, statusCode } from '../base/status.js';
import type { AppliedResponse } from './response-store.js';

/** The fields of a response event that tell what the response changed. */
export function appliedFields(applied: AppliedResponse | undefined) {
  const { nack: refused, added = 0, changed = 0, unrequested = [] } = applied ?? {};
  return { refused, added, changed, unrequested };
}

/** The fields of a timer event when a resource timer expires. */
export const EXPIRED = { change: 'expired', milliseconds: undefined } as const;

/** The status with which a client ends a stream when a message cannot be decoded. */
export const MALFORMED: Status = { code: statusCode('CANCELLED'), message: 'Failed to read message.' };

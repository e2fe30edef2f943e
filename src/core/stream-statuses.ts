import { type Status, statusCode } from '../base/status.js';

/** The status with which a client ends a stream when a message cannot be decoded. */
export const MALFORMED: Status = { code: statusCode('CANCELLED'), message: 'Failed to read message.' };

/** R1.5: every NACK has the same status code. */
export function nackStatus(message: string): Status {
  return { code: statusCode('INVALID_ARGUMENT'), message };
}

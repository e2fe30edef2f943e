import { type Status, statusCode } from '../base/status.js';

const RESOURCE_EXHAUSTED = statusCode('RESOURCE_EXHAUSTED');

/** It was the client that ended the stream, because a response was too large for it (R1.2). */
export function isOverLimit({ code, message }: Status): boolean {
  return code === RESOURCE_EXHAUSTED && message.includes('larger than max');
}

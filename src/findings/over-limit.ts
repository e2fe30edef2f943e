import { type Status, statusCode } from '../base/status.js';

const RESOURCE_EXHAUSTED = statusCode('RESOURCE_EXHAUSTED');

/**
 * Whether the client ended the stream because a response was too large for it (R1.2). A server that rejects a large
 * request uses a different message: `grpc: received message larger…` (Go), `SERVER: Received message…` (C-core).
 */
export function isOverLimit({ code, message }: Status): boolean {
  return code === RESOURCE_EXHAUSTED && message.startsWith('Received message larger than max');
}

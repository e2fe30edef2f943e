import type { Any } from '../proto/generated/google.protobuf.js';

/**
 * Resources smaller than a type URL and a name are not real ones. A response can contain millions of them, so output
 * lists only the first ones and counts the others.
 */
const SMALL_BYTES = 64;

export function isSmallResource({ typeUrl, value }: Any): boolean {
  return typeUrl.length + value.length < SMALL_BYTES;
}

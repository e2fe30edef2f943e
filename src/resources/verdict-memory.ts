import { sameBytes } from '../base/bytes.js';
import type { JudgedBytes } from './registry.js';

const NAME_TAG = 10;
const DECODER = new TextDecoder();

/**
 * What was said about the resources seen last, so that the same bytes are not judged twice: control planes send whole
 * sets again when one resource changes. One memory serves one context, since the context decides as well.
 */
export class VerdictMemory {
  readonly #byName = new Map<string, { bytes: Uint8Array; judged: JudgedBytes }>();

  /** The verdict on these very bytes, if they are those that were judged last under their name. */
  recall(type: string, bytes: Uint8Array): JudgedBytes | undefined {
    const known = this.#byName.get(keyOf(type, bytes));
    return known !== undefined && sameBytes(known.bytes, bytes) ? known.judged : undefined;
  }

  remember(type: string, bytes: Uint8Array, judged: JudgedBytes): void {
    this.#byName.set(keyOf(type, bytes), { bytes, judged });
  }
}

/** Whoever encodes a message in order puts the name first; where it is not, resources share a place, which only costs time. */
function keyOf(type: string, bytes: Uint8Array): string {
  const length = bytes[0] === NAME_TAG ? (bytes[1] as number) : 0;
  return length === 0 || length > 127 ? type : `${type} ${DECODER.decode(bytes.subarray(2, 2 + length))}`;
}

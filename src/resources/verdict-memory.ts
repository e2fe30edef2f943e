import { sameBytes } from '../base/bytes.js';
import type { JudgedBytes } from './registry.js';

const NAME_TAG = 10;
const DECODER = new TextDecoder();

interface Known {
  bytes: Uint8Array;
  judged: JudgedBytes;
}

/**
 * What was said about the resources seen last, so that the same bytes are not judged twice: control planes send whole
 * sets again when one resource changes. One memory serves one context, since the context decides as well.
 */
export class VerdictMemory {
  readonly #byType = new Map<string, { byName: Map<string, Known>; inOrder: Known[] }>();

  /** The verdict on these very bytes, if they are those that were judged last in their place or under their name. */
  recall(type: string, index: number, bytes: Uint8Array): JudgedBytes | undefined {
    const known = this.#byType.get(type);
    if (known === undefined) return undefined;
    const here = known.inOrder[index];
    if (here !== undefined && sameBytes(here.bytes, bytes)) return here.judged;
    const named = known.byName.get(nameIn(bytes));
    if (named === undefined || !sameBytes(named.bytes, bytes)) return undefined;
    known.inOrder[index] = named;
    return named.judged;
  }

  remember(type: string, index: number, bytes: Uint8Array, judged: JudgedBytes): void {
    const known = this.#byType.get(type) ?? { byName: new Map(), inOrder: [] };
    this.#byType.set(type, known);
    const entry = { bytes, judged };
    known.byName.set(nameIn(bytes), entry);
    known.inOrder[index] = entry;
  }
}

/** Whoever encodes a message in order puts the name first; where it is not, resources share a place, which only costs time. */
function nameIn(bytes: Uint8Array): string {
  const length = bytes[0] === NAME_TAG ? (bytes[1] as number) : 0;
  return length > 127 ? '' : DECODER.decode(bytes.subarray(2, 2 + length));
}

import { sameBytes } from '../base/bytes.js';
import type { NonceRange } from './response.js';

/** Longer messages are not kept: they would cost more memory than their storm costs CPU time. */
const MAX_BYTES = 64 * 1024;
const LENGTH_BYTES = 1;

/** A rejected message without its nonce, and what it contained. */
interface RejectedMessage<T> {
  /** The bytes before the length of the nonce, and those after its text. */
  before: Uint8Array;
  after: Uint8Array;
  revision: number;
  content: T;
}

/**
 * The last rejected message of each type. Some control planes resend a rejected response without a pause, with a new
 * nonce: it is validated once, as long as the subscriptions are the same (`revision`).
 */
export class RejectedMessages<T> {
  readonly #byType = new Map<string, RejectedMessage<T>>();

  /** Keeps a copy of the message. */
  remember(typeUrl: string, bytes: Uint8Array, { from, to }: NonceRange, revision: number, content: T): void {
    if (bytes.length > MAX_BYTES) return;
    this.#byType.set(typeUrl, { before: bytes.slice(0, from), after: bytes.slice(to), revision, content });
  }

  /** Returns the content of a message that differs only in its nonce, and that nonce. */
  recall(bytes: Uint8Array, revision: number): { content: T; nonce: string } | undefined {
    for (const { before, after, revision: known, content } of this.#byType.values()) {
      if (known !== revision) continue;
      const nonce = nonceBetween(bytes, before, after);
      if (nonce !== undefined) return { content, nonce };
    }
    return undefined;
  }
}

/** The nonce of a message that begins and ends with these bytes. Only decoding reads other text than short ASCII. */
function nonceBetween(bytes: Uint8Array, before: Uint8Array, after: Uint8Array): string | undefined {
  const from = before.length + LENGTH_BYTES;
  const to = bytes.length - after.length;
  if (to < from || bytes[before.length] !== to - from || to - from > 0x7f) return undefined;
  let nonce = '';
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    if (byte > 0x7f) return undefined;
    nonce += String.fromCharCode(byte);
  }
  const isSame = sameBytes(bytes.subarray(0, before.length), before) && sameBytes(bytes.subarray(to), after);
  return isSame ? nonce : undefined;
}

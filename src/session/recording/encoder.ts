import { toBase64 } from '../../base/base64.js';
import type { Input } from '../../core/input.js';
import type { RecordingHeader } from './header.js';
import { MessageParts } from './message-parts.js';

export interface EncoderOptions {
  /** Faster than the one of `base`, where there is one. */
  base64?: (bytes: Uint8Array) => string;
  /** Takes secrets out of a message; what it returns has the same length. */
  redact?: (message: Uint8Array) => Uint8Array;
}

/** Puts a session into lines, one input a line. */
export class RecordingEncoder {
  readonly #start: number;
  readonly #base64: (bytes: Uint8Array) => string;
  readonly #redact: (message: Uint8Array) => Uint8Array;
  readonly #parts = new MessageParts();

  constructor({ start }: RecordingHeader, { base64 = toBase64, redact = (bytes) => bytes }: EncoderOptions = {}) {
    this.#start = start;
    this.#base64 = base64;
    this.#redact = redact;
  }

  input(input: Input, at: number): string {
    if (input.kind !== 'message') return this.#line(at, input);
    const parts = this.#parts
      .cut(this.#redact(input.bytes))
      .map((part) => (part instanceof Uint8Array ? `"${this.#base64(part)}"` : `[${part[0]},${part[1]}]`));
    // Base64 needs no escaping, and there may be a hundred megabytes of it.
    return `{"at":${at - this.#start},"kind":"message","stream":${input.stream},"parts":[${parts.join(',')}]}\n`;
  }

  /** The last line. */
  end(reason: string, at: number): string {
    return this.#line(at, { kind: 'end', reason });
  }

  #line(at: number, rest: object): string {
    return `${JSON.stringify({ at: at - this.#start, ...rest })}\n`;
  }
}

export function headerLine(header: RecordingHeader): string {
  return `${JSON.stringify(header)}\n`;
}

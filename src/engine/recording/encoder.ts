import { toBase64 } from '../../base/base64.js';
import type { Input } from '../../core/input.js';
import type { RecordingHeader } from './header.js';
import { MessageParts } from './message-parts.js';

export interface EncoderOptions {
  /** An encoder that is faster than the one of `src/base`. */
  base64?: (bytes: Uint8Array) => string;
  /** Replaces secrets in a message. The result has the same length. */
  redact?: (message: Uint8Array) => Uint8Array;
}

/** Encodes a session as lines of JSON, one per input. */
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
    const { bytes, stream } = input;
    const parts = this.#parts.cut(bytes).map((part) => {
      if (Array.isArray(part)) return `[${part[0]},${part[1]}]`;
      // A range of complete fields can be decoded as a message, so secrets can be replaced in each part.
      const text = this.#base64(this.#redact(bytes.subarray(part.from, part.to)));
      return part.lengths.length === 1 ? `"${text}"` : `{"bytes":"${text}","lengths":[${part.lengths.join(',')}]}`;
    });
    // Builds the line without JSON.stringify: base64 needs no escaping, and may have hundreds of megabytes.
    return `{"at":${at - this.#start},"kind":"message","stream":${stream},"parts":[${parts.join(',')}]}\n`;
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

import { gunzipSync, gzipSync } from 'node:zlib';
import type { Input } from '../../core/input.js';
import { headerLine, RecordingEncoder } from '../../engine/recording/encoder.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import { asBuffer } from '../byte-codec.js';

/** Lines are compressed in pieces of this length. Compressing one takes a few milliseconds. */
const PIECE_LENGTH = 256 * 1024;
const MAX_PACKED_BYTES = 32 * 1024 * 1024;

/** The recording of a session that goes on, for what-if runs in a page. It is dropped when it becomes too large. */
export class LiveRecording {
  readonly #encoder: RecordingEncoder;
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #packedBytes = 0;
  #lines: string[];
  #length = 0;
  #isComplete = true;

  constructor(header: RecordingHeader, maxBytes = MAX_PACKED_BYTES) {
    this.#encoder = new RecordingEncoder(header, { base64: (bytes) => asBuffer(bytes).toString('base64') });
    this.#lines = [headerLine(header)];
    this.#maxBytes = maxBytes;
  }

  /** Whether it still contains the whole session. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The input must not contain secrets. */
  add(input: Input, at: number): void {
    if (!this.#isComplete) return;
    const line = this.#encoder.input(input, at);
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= PIECE_LENGTH) this.#pack();
  }

  /** The recording up to a time, in parts. */
  *parts(now: number): Iterable<string> {
    const lines = [...this.#lines, this.#encoder.end('closed', now)];
    for (const piece of [...this.#pieces]) yield gunzipSync(piece).toString();
    yield lines.join('');
  }

  #pack(): void {
    const piece = gzipSync(this.#lines.join(''), { level: 1 });
    this.#lines = [];
    this.#length = 0;
    this.#pieces.push(piece);
    this.#packedBytes += piece.length;
    if (this.#packedBytes <= this.#maxBytes) return;
    this.#isComplete = false;
    this.#pieces = [];
  }
}

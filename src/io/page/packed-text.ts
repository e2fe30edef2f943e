import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { asBuffer } from '../byte-codec.js';

/** Text is compressed in pieces of this length. */
const PIECE_LENGTH = 64 * 1024;

/** The maximum size of a blob in a page. A browser needs several times as much memory to unpack it. */
const MAX_PACKED_BYTES = 128 * 1024 * 1024;

/** Compresses text in memory, on another thread. The result is one gzip member: browsers read no more. */
export class PackedText {
  readonly #gzip = createGzip();
  readonly #chunks: Buffer[] = [];
  readonly #ended: Promise<unknown>;
  #waiting: Buffer[] = [];
  #waitingLength = 0;
  #packedBytes = 0;

  constructor() {
    this.#gzip.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#packedBytes += chunk.length;
    });
    this.#ended = once(this.#gzip, 'end');
  }

  /** Whether the compressed text is still small enough for a page. */
  get isWithinLimit(): boolean {
    return this.#packedBytes <= MAX_PACKED_BYTES;
  }

  write(text: string | Uint8Array): void {
    const bytes = typeof text === 'string' ? Buffer.from(text) : asBuffer(text);
    this.#waiting.push(bytes);
    this.#waitingLength += bytes.length;
    if (this.#waitingLength >= PIECE_LENGTH) this.#flush();
  }

  /** Resolves when most of the text so far is compressed. */
  async ready(): Promise<void> {
    if (this.#gzip.writableNeedDrain) await once(this.#gzip, 'drain');
  }

  end(): void {
    this.#flush();
    this.#gzip.end();
  }

  /** The compressed text. Waits until `end` was called and everything is compressed. */
  async packed(): Promise<readonly Buffer[]> {
    await this.#ended;
    return this.#chunks;
  }

  #flush(): void {
    if (this.#waitingLength > 0) this.#gzip.write(Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#waitingLength = 0;
  }
}

/** Base64 in parts: each part but the last encodes a multiple of three bytes. */
export function base64Parts(chunks: readonly Buffer[]): Iterable<string> {
  return { [Symbol.iterator]: () => partsOf(chunks) };
}

function* partsOf(chunks: readonly Buffer[]): Generator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    rest = bytes.subarray(whole);
  }
  yield rest.toString('base64');
}

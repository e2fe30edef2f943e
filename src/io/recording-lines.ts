import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { constants, createGunzip } from 'node:zlib';
import { MAX_RECORDING_BYTES } from './recording-file.js';

/** The longest line: a response of the largest size in base64, and some. */
const MAX_LINE_BYTES = 400 * 1024 * 1024;

/** How the reading of a file ended: at its end, or before for a reason. */
export type FileEnd = { kind: 'whole' } | { kind: 'cut'; what: string } | { kind: 'unreadable'; what: string };

/**
 * Hands the lines of a file to `onLine`, compressed or not, until it returns false. A file that ends inside a line or
 * inside compressed data is read as far as it goes; the last, incomplete line is not handed out.
 */
export async function readLines(path: string, onLine: (line: string, number: number) => boolean): Promise<FileEnd> {
  let isCompressed: boolean;
  try {
    isCompressed = startsLikeGzip(path);
  } catch (error) {
    return { kind: 'unreadable', what: (error as Error).message };
  }
  const splitter = new LineSplitter(onLine);
  const source = createReadStream(path);
  // Ends without an error where the data ends: whether it is all there is seen by its last line.
  const plain = isCompressed ? source.pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })) : source;
  return await new Promise((resolve) => {
    const stop = (end: FileEnd): void => {
      source.destroy();
      plain.destroy();
      resolve(end);
    };
    const fail = (error: Error): void => stop({ kind: 'cut', what: `it cannot be read further: ${error.message}` });
    source.on('error', fail);
    plain.on('error', fail);
    plain.on('data', (data: string | Buffer) => {
      const end = splitter.take(data as Buffer);
      if (end !== undefined) stop(end);
    });
    plain.on('end', () => stop(splitter.end()));
  });
}

function startsLikeGzip(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(2);
    return readSync(file, head, 0, 2, 0) === 2 && head[0] === 0x1f && head[1] === 0x8b;
  } finally {
    closeSync(file);
  }
}

class LineSplitter {
  readonly #onLine: (line: string, number: number) => boolean;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #total = 0;
  #number = 0;
  #isDone = false;

  constructor(onLine: (line: string, number: number) => boolean) {
    this.#onLine = onLine;
  }

  /** Returns how it ended, as soon as it has. */
  take(chunk: Buffer): FileEnd | undefined {
    if (this.#isDone) return { kind: 'whole' };
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(from, at)]).toString();
      this.#rest = [];
      this.#restBytes = 0;
      from = at + 1;
      this.#number++;
      if (line !== '' && !this.#onLine(line, this.#number)) {
        this.#isDone = true;
        return { kind: 'whole' };
      }
    }
    if (from < chunk.length) this.#rest.push(from === 0 ? chunk : chunk.subarray(from));
    this.#restBytes += chunk.length - from;
    this.#total += chunk.length;
    if (this.#restBytes > MAX_LINE_BYTES) return { kind: 'cut', what: `line ${this.#number + 1} is too long` };
    // No recording is longer: each ends at half of this.
    return this.#total > 2 * MAX_RECORDING_BYTES ? { kind: 'cut', what: 'the file is too long' } : undefined;
  }

  end(): FileEnd {
    return this.#restBytes === 0 ? { kind: 'whole' } : { kind: 'cut', what: `it ends inside line ${this.#number + 1}` };
  }
}

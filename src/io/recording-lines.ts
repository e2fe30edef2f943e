import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { FileEnd } from '../engine/recording/file-end.js';
import type { OnLine, RecordingFile } from '../inspect/source.js';
import { guardedPath } from './file-guard.js';
import { reason } from './file-problem.js';
import { findRecording } from './find-recording.js';
import { mustBeSuitable } from './input-file.js';
import type { RecordingBytes } from './recording-bytes.js';
import { MAX_EXPANSION, MAX_FILE_BYTES, maxInflated } from './recording-limits.js';
import { tolerantGunzip } from './tolerant-gunzip.js';

/** The maximum length of a line: a response of the maximum size in base64, plus a margin. */
const MAX_LINE_BYTES = 400 * 1024 * 1024;

/** The recorder writes no empty lines. An editor may have added some. */
const MAX_EMPTY_LINES = 1000;

/** Signals are handled this often, however much work the lines cause. */
const MAX_TURN_MS = 50;

/**
 * A recording on disk: plain, compressed, or in a support bundle. It is read no faster than `ready` allows: the output of
 * a replay waits for its reader.
 */
export function recordingFile(path: string, ready: () => Promise<void> = async () => {}): RecordingFile {
  let found: Promise<RecordingBytes> | undefined;
  const find = (): Promise<RecordingBytes> => {
    found ??= findRecording(path);
    return found;
  };
  return { path, readLines: (onLine) => readLines(path, find, onLine, ready), decodeBase64 };
}

export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // Buffer skips invalid characters, so the result of invalid base64 is too short.
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined;
}

/**
 * Passes the lines of a plain or compressed recording to `onLine` until it returns false. A truncated one is read up to
 * its end, without the last, incomplete line.
 */
async function readLines(
  path: string,
  find: () => Promise<RecordingBytes>,
  onLine: OnLine,
  ready: () => Promise<void>,
): Promise<FileEnd> {
  let found: RecordingBytes;
  try {
    mustBeSuitable(path, MAX_FILE_BYTES);
    found = await find();
  } catch (error) {
    return { kind: 'unreadable', what: reason(error) };
  }
  const { read, isCompressed } = found;
  const splitter = new LineSplitter(
    onLine,
    isCompressed ? maxInflated(statSync(guardedPath(path)).size) : MAX_FILE_BYTES,
  );
  const take = async (data: Buffer): Promise<boolean> => {
    await ready();
    return await splitter.take(data);
  };
  const error = await (isCompressed ? tolerantGunzip(read, take) : passOn(read, take));
  if (error !== undefined) return { kind: 'cut', what: `the rest cannot be read: ${error.message}` };
  return splitter.end();
}

/** Passes the lines of a text in memory to `onLine` until it returns false. */
export async function splitLines(text: AsyncIterable<Buffer>, onLine: OnLine): Promise<FileEnd> {
  const splitter = new LineSplitter(onLine, MAX_FILE_BYTES);
  for await (const chunk of text) if (!(await splitter.take(chunk))) break;
  return splitter.end();
}

async function passOn(
  read: RecordingBytes['read'],
  onData: (data: Buffer) => Promise<boolean>,
): Promise<Error | undefined> {
  try {
    for await (const chunk of read()) if (!(await onData(chunk))) break;
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

class LineSplitter {
  readonly #onLine: OnLine;
  readonly #maxBytes: number;
  #turnStart = performance.now();
  #rest: Buffer[] = [];
  #restBytes = 0;
  #total = 0;
  #number = 0;
  #emptyLines = 0;
  #end: FileEnd | undefined;

  constructor(onLine: OnLine, maxBytes: number) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  /** Returns false when the reader needs no more data. */
  async take(chunk: Buffer): Promise<boolean> {
    if (this.#end !== undefined) return false;
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const handle = this.#next(chunk.subarray(from, at));
      from = at + 1;
      if (!(typeof handle === 'function' ? handle() : handle)) return this.#stop(this.#end ?? { kind: 'whole' });
      if (performance.now() - this.#turnStart > MAX_TURN_MS) {
        await setImmediate();
        this.#turnStart = performance.now();
      }
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
    this.#restBytes += chunk.length - from;
    this.#total += chunk.length;
    if (this.#restBytes > MAX_LINE_BYTES)
      return this.#stop({ kind: 'cut', what: `line ${this.#number + 1} is too long` });
    if (this.#total <= this.#maxBytes) return true;
    const what =
      this.#maxBytes === MAX_FILE_BYTES
        ? 'it has more than 2 GiB'
        : `it expands to more than ${MAX_EXPANSION} times its size`;
    return this.#stop({ kind: 'cut', what });
  }

  /** Passes on a line that ends with these bytes. Its own function, so that nothing refers to the line afterwards. */
  #next(last: Buffer): ReturnType<OnLine> {
    const line = Buffer.concat([...this.#rest, last]).toString();
    this.#rest = [];
    this.#restBytes = 0;
    this.#number++;
    if (line !== '') return this.#onLine(line, this.#number);
    if (++this.#emptyLines <= MAX_EMPTY_LINES) return true;
    return this.#stop({ kind: 'cut', what: `it has more than ${MAX_EMPTY_LINES} empty lines` });
  }

  #stop(end: FileEnd): false {
    this.#end = end;
    return false;
  }

  end(): FileEnd {
    if (this.#end !== undefined || this.#restBytes === 0) return this.#end ?? { kind: 'whole' };
    return { kind: 'cut', what: `it ends inside line ${this.#number + 1}` };
  }
}

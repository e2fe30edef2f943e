import { close, closeSync, constants, fstatSync, open, openSync, read, readSync, type Stats, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { embeddedFile } from './embedded-files.js';
import { guardedPath } from './file-guard.js';
import { UnsuitableFile } from './unsuitable-file.js';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Bootstraps, expectations, scenarios, certificates, keys, tokens and `.proto` files. */
export const MAX_SETTINGS_BYTES = 16 * MIB;
/** Resource files and descriptor sets: as large as the largest response. */
export const MAX_RESOURCES_BYTES = 128 * MIB;

const CHUNK_BYTES = 256 * 1024;

/** Without this flag, `open` waits for the writer of a named pipe, and blocks the exit of the process meanwhile. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

const openFile = promisify(open);
const closeFile = promisify(close);
const readFile = promisify(read);

/** Reads a file, a pipe or a device to its end, at most `maxBytes`. Ctrl-C ends the process meanwhile. */
export async function readInput(path: string, maxBytes: number): Promise<Buffer> {
  const embedded = embeddedFile(path);
  if (embedded !== undefined) return embedded;
  const file = await openFile(guardedPath(path), FLAGS);
  let isOwned = true;
  try {
    const found = fstatSync(file);
    mustFit(found, maxBytes);
    const stream = streamOf(file, found);
    isOwned = stream === undefined;
    return await (stream === undefined ? readWhole(file, maxBytes) : readStream(stream, maxBytes));
  } finally {
    if (isOwned) await closeFile(file);
  }
}

/** Reads a regular file at once, for callers that cannot wait, or read it again later. */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  const embedded = embeddedFile(path);
  if (embedded !== undefined) return embedded;
  const file = openSync(guardedPath(path), FLAGS);
  try {
    const found = fstatSync(file);
    mustFit(found, maxBytes);
    mustBeRegular(found);
    const taken = new Taken(maxBytes);
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const length = readSync(file, chunk);
      if (length === 0) return taken.all();
      taken.take(chunk.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}

/** Reads a stream such as stdin to its end, at most `maxBytes`. */
export async function readStream(stream: Readable, maxBytes: number): Promise<Buffer> {
  const taken = new Taken(maxBytes);
  // Leaving the loop with an error destroys the stream.
  for await (const chunk of stream as AsyncIterable<Buffer>) taken.take(chunk);
  return taken.all();
}

/** A pipe or a terminal as a stream, which closes the file itself. */
function streamOf(file: number, found: Stats): Readable | undefined {
  if (found.isFIFO()) return new Socket({ fd: file, readable: true, writable: false });
  return found.isCharacterDevice() && isatty(file) ? new ReadStream(file) : undefined;
}

async function readWhole(file: number, maxBytes: number): Promise<Buffer> {
  const taken = new Taken(maxBytes);
  for (;;) {
    const { bytesRead, buffer } = await readFile(file, Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return taken.all();
    taken.take(buffer.subarray(0, bytesRead));
  }
}

function mustFit(found: Stats, maxBytes: number): void {
  if (found.size > maxBytes) throw tooLarge(maxBytes);
}

/** Reading a folder fails by itself. */
function mustBeRegular(found: Stats): void {
  if (!found.isFile() && !found.isDirectory()) throw new UnsuitableFile('it is not a regular file');
}

/** Checks a file that is read in parts. */
export function mustBeSuitable(path: string, maxBytes: number): void {
  const found = statSync(guardedPath(path));
  mustFit(found, maxBytes);
  mustBeRegular(found);
}

/** Chunks of a file. The size of a pipe or device, or of a growing file, is not known before. */
class Taken {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
    this.#chunks.push(chunk);
  }

  all(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

function tooLarge(maxBytes: number): UnsuitableFile {
  const limit = maxBytes < GIB ? `${maxBytes / MIB} MiB` : `${maxBytes / GIB} GiB`;
  return new UnsuitableFile(`it has more than ${limit}, the limit for this kind of file`);
}

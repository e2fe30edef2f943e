import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { guardedPath } from '../file-guard.js';
import { MAX_EXPANSION, maxInflated } from '../recording-limits.js';
import { UnsuitableFile } from '../unsuitable-file.js';

/** A tar archive on disk. */
export interface Archive {
  path: string;
  isCompressed: boolean;
}

/**
 * The members of an archive, one after the other. Nothing is written to the disk, and no more than a few chunks are in
 * memory. The reader of a member reads or cancels its body before the next one. Throws an UnsuitableFile on any damage.
 */
export async function* members(archive: Archive): AsyncGenerator<ParsedTarEntry> {
  const { readable, writable } = createTarDecoder({ strict: true });
  void feed(unpacked(archive), writable);
  try {
    yield* readable;
  } catch (error) {
    throw error instanceof UnsuitableFile ? error : new UnsuitableFile(damageOf(error as Error));
  }
}

/** Never rejects: the readable side of the decoder gets the error. */
async function feed(source: AsyncIterable<Buffer>, decoder: WritableStream<Uint8Array>): Promise<void> {
  const writer = decoder.getWriter();
  try {
    for await (const chunk of source) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
  }
}

/** The bytes of the tar archive, up to the limit of expansion. */
async function* unpacked({ path: named, isCompressed }: Archive): AsyncGenerator<Buffer> {
  const path = guardedPath(named);
  const { size } = statSync(path);
  const file = createReadStream(path);
  const gunzip = isCompressed ? createGunzip() : undefined;
  const stream = gunzip === undefined ? file : pipeline(file, gunzip, () => {});
  let rest = isCompressed ? maxInflated(size) : size;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      rest -= chunk.length;
      if (rest < 0) throw new UnsuitableFile(`it expands to more than ${MAX_EXPANSION} times its size`);
      yield chunk;
    }
    if (gunzip !== undefined && gunzip.bytesWritten < size) {
      throw new UnsuitableFile('it has other data after the archive');
    }
  } finally {
    file.destroy();
  }
}

function damageOf({ message, code }: NodeJS.ErrnoException): string {
  if (code === 'Z_BUF_ERROR' || /truncated/.test(message)) return 'it is truncated: the end of the archive is missing';
  // The first header was read, so these bytes follow the compressed data.
  if (/EOF|incorrect header check/.test(message)) return 'it has other data after the archive';
  return `it is damaged: ${message}`;
}

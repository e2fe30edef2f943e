import { createReadStream } from 'node:fs';
import { constants, createGunzip, type Gunzip } from 'node:zlib';

/** As little as is lost where compressed data is damaged. */
const FINE_BYTES = 16;

/** How far a pass came, and why no further. */
interface Stopped {
  /** Where the piece begins that could not be decompressed. */
  at: number;
  error: Error;
}

/**
 * Hands out what a gzip file holds, up to its damage. zlib drops what it has made of a piece when it meets an error in
 * it; so the piece is given to it again, a few bytes at a time. A file that is cut ends without an error.
 */
export async function gunzipFile(path: string, onData: (data: Buffer) => boolean): Promise<Error | undefined> {
  let delivered = 0;
  const deliver = (data: Buffer): boolean => {
    delivered += data.length;
    return onData(data);
  };
  const stopped = await pass(path, Number.POSITIVE_INFINITY, deliver);
  if (stopped === undefined) return undefined;
  let known = delivered;
  await pass(path, stopped.at, (data) => {
    const fresh = data.subarray(Math.min(known, data.length));
    known -= data.length - fresh.length;
    return fresh.length === 0 || onData(fresh);
  });
  return stopped.error;
}

async function pass(path: string, fineFrom: number, onData: (data: Buffer) => boolean): Promise<Stopped | undefined> {
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  let isWanted = true;
  gunzip.on('data', (data: Buffer) => {
    isWanted &&= onData(data);
  });
  let at = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      const step = at >= fineFrom ? FINE_BYTES : chunk.length;
      for (let from = 0; from < chunk.length; from += step) {
        await written(gunzip, chunk.subarray(from, from + step));
        if (!isWanted) return undefined;
      }
      at += chunk.length;
    }
    await written(gunzip, undefined);
    return undefined;
  } catch (error) {
    return { at, error: error as Error };
  } finally {
    gunzip.destroy();
  }
}

/** Settles when a piece, or the end, has been worked on. */
function written(gunzip: Gunzip, piece: Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    gunzip.once('error', reject);
    const done = (): void => {
      gunzip.off('error', reject);
      resolve();
    };
    if (piece === undefined) gunzip.once('end', done).end();
    else gunzip.write(piece, (error) => (error ? reject(error) : done()));
  });
}

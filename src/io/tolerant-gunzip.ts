import { constants, createGunzip, type Gunzip } from 'node:zlib';

/** The chunk size before damaged data: at most this much is lost. */
const FINE_BYTES = 16;
/** The chunk size before that. The contents of a chunk can be a thousand times as large, and are kept in memory. */
const COARSE_BYTES = 16 * 1024;

/** Returns false when the reader needs no more data. */
type OnData = (data: Buffer) => Promise<boolean>;

/** The position and error at which a pass stopped. */
interface Stopped {
  /** The offset of the chunk that could not be decompressed. */
  at: number;
  error: Error;
}

/** Reads the compressed bytes from their start. */
type ReadBytes = () => AsyncIterable<Buffer>;

/**
 * Passes on the contents of gzip data up to the first damage. On an error, zlib drops the output of the whole chunk. So
 * a second pass feeds that chunk again, a few bytes at a time. Truncated data ends without an error.
 */
export async function tolerantGunzip(read: ReadBytes, onData: OnData): Promise<Error | undefined> {
  let delivered = 0;
  const deliver: OnData = (data) => {
    delivered += data.length;
    return onData(data);
  };
  const stopped = await pass(read, Number.POSITIVE_INFINITY, deliver);
  if (stopped === undefined) return undefined;
  let known = delivered;
  await pass(read, stopped.at, async (data) => {
    const fresh = data.subarray(Math.min(known, data.length));
    known -= data.length - fresh.length;
    return fresh.length === 0 || (await onData(fresh));
  });
  return stopped.error;
}

async function pass(read: ReadBytes, fineFrom: number, onData: OnData): Promise<Stopped | undefined> {
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  const inflated: Buffer[] = [];
  gunzip.on('data', (data: Buffer) => inflated.push(data));
  const isWanted = async (): Promise<boolean> => {
    for (const data of inflated.splice(0)) if (!(await onData(data))) return false;
    return true;
  };
  let at = 0;
  try {
    for await (const chunk of read()) {
      const step = at >= fineFrom ? FINE_BYTES : COARSE_BYTES;
      for (let from = 0; from < chunk.length; from += step) {
        await written(gunzip, chunk.subarray(from, from + step));
        if (!(await isWanted())) return undefined;
      }
      at += chunk.length;
    }
    await written(gunzip, undefined);
    await isWanted();
    return undefined;
  } catch (error) {
    await isWanted();
    return { at, error: error as Error };
  } finally {
    gunzip.destroy();
  }
}

/** Resolves when zlib has processed a chunk, or the end. */
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

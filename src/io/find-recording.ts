import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { guardedPath } from './file-guard.js';
import { isGzip, type RecordingBytes } from './recording-bytes.js';
import { tolerantGunzip } from './tolerant-gunzip.js';
import { UnsuitableFile } from './unsuitable-file.js';

/** Enough of a file to recognize its format, and of a compressed one to unpack the first block of an archive. */
const START_BYTES = 4096;
const TAR_BLOCK_BYTES = 512;
const TAR_MAGIC = { at: 257, text: 'ustar' };

/** Formats that users may have put a recording or a bundle into, by their first bytes in hexadecimal. */
const OTHER_FORMATS: readonly { start: RegExp; what: string }[] = [
  { start: /^504b0(304|506)/, what: 'it is a zip file: unpack it, and replay the bundle or the recording in it' },
  { start: /^28b52ffd/, what: 'it is compressed by zstd, not by gzip: unpack it first' },
  { start: /^fd377a585a00/, what: 'it is compressed by xz, not by gzip: unpack it first' },
  { start: /^425a68/, what: 'it is compressed by bzip2, not by gzip: unpack it first' },
  { start: /^377abcaf271c/, what: 'it is a 7z file: unpack it, and replay the bundle or the recording in it' },
];

const RECORDING_NAME = /\.(xdsrec|xdsrec\.gz|tgz)$/i;
const HEAD_BYTES = 64;

/** Whether a file is a recording or a support bundle: by its name, or by how it begins. Does not read from a pipe. */
export function looksRecorded(path: string): boolean {
  if (RECORDING_NAME.test(path)) return true;
  try {
    if (!statSync(guardedPath(path)).isFile()) return false;
    const start = startOf(path);
    const head = start.toString('latin1', 0, HEAD_BYTES);
    return isGzip(start) || isArchive(start) || head.includes('"xds-inspect/recording/');
  } catch {
    return false;
  }
}

/** Finds the recording in a file by the file's contents: the file itself, or a member of a support bundle. */
export async function findRecording(path: string): Promise<RecordingBytes> {
  const start = startOf(path);
  const other = OTHER_FORMATS.find((one) => one.start.test(start.toString('hex')));
  if (other !== undefined) throw new UnsuitableFile(other.what);
  const isCompressed = isGzip(start);
  if (isArchive(isCompressed ? await unpackedStart(start) : start)) {
    return await (await import('./bundle/bundled-recording.js')).bundledRecording({ path, isCompressed });
  }
  return { isCompressed, read: () => createReadStream(guardedPath(path)) as AsyncIterable<Buffer> };
}

/** An archive begins with a header, or is empty and ends with blocks of zeros. */
function isArchive(start: Buffer): boolean {
  if (start.length < TAR_BLOCK_BYTES) return false;
  const magic = start.toString('latin1', TAR_MAGIC.at, TAR_MAGIC.at + TAR_MAGIC.text.length);
  return magic === TAR_MAGIC.text || start.subarray(0, TAR_BLOCK_BYTES).every((byte) => byte === 0);
}

/** Damage is reported when the file is read. */
async function unpackedStart(start: Buffer): Promise<Buffer> {
  let unpacked: Buffer = Buffer.alloc(0);
  const read = async function* (): AsyncGenerator<Buffer> {
    yield start;
  };
  await tolerantGunzip(read, async (data) => {
    unpacked = Buffer.concat([unpacked, data]);
    return unpacked.length < TAR_BLOCK_BYTES;
  });
  return unpacked;
}

function startOf(path: string): Buffer {
  const file = openSync(guardedPath(path), 'r');
  try {
    const start = Buffer.alloc(START_BYTES);
    return start.subarray(0, readSync(file, start, 0, START_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

import { MAX_RECORDING_BYTES } from './recording-file.js';

/** The maximum size of a file, before and after decompression. The recorder stops at half of it. */
export const MAX_FILE_BYTES = 2 * MAX_RECORDING_BYTES;

/** A recording is compressed to a tenth of its size or so. A file that expands more was made to keep the reader busy. */
export const MAX_EXPANSION = 200;
const ALWAYS_INFLATED_BYTES = 16 * 1024 * 1024;

/** How many bytes are unpacked from a file of this size. */
export function maxInflated(fileBytes: number): number {
  return Math.min(MAX_FILE_BYTES, Math.max(ALWAYS_INFLATED_BYTES, MAX_EXPANSION * fileBytes));
}

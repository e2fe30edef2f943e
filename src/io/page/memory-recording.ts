import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { RecordingFile } from '../../inspect/source.js';
import { MAX_RECORDING_BYTES, type RecordingSink } from '../recording-file.js';
import { decodeBase64, splitLines } from '../recording-lines.js';
import { PackedText } from './packed-text.js';

/** A recording in memory, compressed, with the limits of a recording on disk. */
export class MemoryRecording implements RecordingSink {
  readonly #packed = new PackedText();
  #length = 0;
  #isOpen = true;

  hasRoomFor(bytes: number): boolean {
    return this.#isOpen && this.#packed.isWithinLimit && this.#length + bytes <= MAX_RECORDING_BYTES;
  }

  write(line: string): void {
    if (!this.#isOpen) return;
    this.#length += line.length;
    this.#packed.write(line);
  }

  flush(): void {}

  ready(): Promise<void> {
    return this.#packed.ready();
  }

  close(): void {
    if (this.#isOpen) this.#packed.end();
    this.#isOpen = false;
  }

  packed(): Promise<readonly Buffer[]> {
    return this.#packed.packed();
  }

  /** The closed recording as a file that can be replayed. */
  asFile(path: string): RecordingFile {
    return {
      path,
      decodeBase64,
      readLines: async (onLine) => {
        const text = Readable.from(await this.packed()).pipe(createGunzip());
        return await splitLines(text as AsyncIterable<Buffer>, onLine);
      },
    };
  }
}

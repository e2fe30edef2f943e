import { closeSync, openSync, writeSync } from 'node:fs';
import { constants, gzipSync } from 'node:zlib';

/** A process that is killed loses what happened in this time, and nothing before. */
const FLUSH_MS = 250;
const FLUSH_BYTES = 256 * 1024;

/** Of text, before it is compressed: a control plane that never stops must not fill a disk. */
export const MAX_RECORDING_BYTES = 1024 * 1024 * 1024;

/** What bytes go to. */
export interface Disk {
  /** Writes from a place on, and says how many bytes it took. */
  write(file: number, bytes: Uint8Array, at: number): number;
  /** Of text, before it is compressed. */
  maxBytes: number;
}

const REAL_DISK: Disk = { write: writeSync, maxBytes: MAX_RECORDING_BYTES };

/**
 * Appends lines to a file that did not exist before. In a `.gz` each batch is a gzip member of its own, so that all that
 * was written can be read whatever happens next.
 */
export class RecordingFile {
  readonly #file: number;
  readonly #compress: boolean;
  readonly #onFailure: (what: string) => void;
  readonly #disk: Disk;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOpen = true;

  /** Throws what the file system says. `onFailure` is called once, if writing has to end before time. */
  constructor(path: string, onFailure: (what: string) => void, disk = REAL_DISK) {
    this.#disk = disk;
    this.#file = openSync(path, 'wx', 0o600);
    this.#compress = path.endsWith('.gz');
    this.#onFailure = onFailure;
  }

  /** Whether there is room for so much more, and the file can be written at all. */
  hasRoomFor(bytes: number): boolean {
    return this.#isOpen && this.#written + this.#waitingBytes + bytes <= this.#disk.maxBytes;
  }

  write(line: string): void {
    if (!this.#isOpen) return;
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#waitingBytes >= FLUSH_BYTES) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  close(): void {
    this.#flush();
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isOpen || this.#waiting.length === 0) return;
    const text = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#written += text.length;
    try {
      // The fastest level: most of what could be saved by a better one is saved by not writing things twice.
      this.#writeAll(this.#compress ? gzipSync(text, { level: constants.Z_BEST_SPEED }) : text);
    } catch (error) {
      this.#isOpen = false;
      closeSync(this.#file);
      this.#onFailure((error as Error).message);
    }
  }

  #writeAll(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += this.#disk.write(this.#file, bytes, at);
  }
}

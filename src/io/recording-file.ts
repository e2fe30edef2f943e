import { closeSync, openSync, writeSync } from 'node:fs';
import { constants, gzipSync } from 'node:zlib';

/** A killed process loses at most the events of this period. */
const FLUSH_MS = 250;
const FLUSH_BYTES = 256 * 1024;

/** The maximum size before compression, so that an endless session does not fill the disk. */
export const MAX_RECORDING_BYTES = 1024 * 1024 * 1024;

/** Writes bytes to a file. Tests replace it. */
export interface Disk {
  /** Writes the bytes from an offset on. Returns the number of bytes written. */
  write(file: number, bytes: Uint8Array, at: number): number;
  /** The maximum size before compression. */
  maxBytes: number;
}

/** Receives the lines of a recording. */
export interface RecordingSink {
  /** Whether it is writable and has room for this number of bytes. */
  hasRoomFor(bytes: number): boolean;
  write(line: string): void;
  /** Writes the lines that wait for the next batch. */
  flush(): void;
  close(): void;
}

const REAL_DISK: Disk = { write: writeSync, maxBytes: MAX_RECORDING_BYTES };

/**
 * Appends lines to a new file. In a `.gz` file each batch is a separate gzip member, so that all written batches stay
 * readable if the process is killed.
 */
export class RecordingFile implements RecordingSink {
  readonly #file: number;
  readonly #compress: boolean;
  readonly #onFailure: (what: string) => void;
  readonly #disk: Disk;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOpen = true;

  /** Throws the file system error if the file cannot be created. Calls `onFailure` once if writing fails later. */
  constructor(path: string, onFailure: (what: string) => void, disk = REAL_DISK) {
    this.#disk = disk;
    this.#file = openSync(path, 'wx', 0o600);
    this.#compress = path.endsWith('.gz');
    this.#onFailure = onFailure;
  }

  hasRoomFor(bytes: number): boolean {
    return this.#isOpen && this.#written + this.#waitingBytes + bytes <= this.#disk.maxBytes;
  }

  write(line: string): void {
    if (!this.#isOpen) return;
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#waitingBytes >= FLUSH_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  close(): void {
    this.flush();
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isOpen || this.#waiting.length === 0) return;
    const text = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#written += text.length;
    try {
      // The fastest level is sufficient, because the format already avoids repetition.
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

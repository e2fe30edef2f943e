import type { Clock } from '../engine/ports.js';

/** The most characters that wait for a reader. Then live output is dropped. */
export const MAX_QUEUED = 16 * 1024 * 1024;
/** Dropping ends when the reader has taken half of the queue, so that gaps are few. */
const RESUME_AT = MAX_QUEUED / 2;
/** The most characters that wait when the next part of a large document is written. */
export const READY_AT = 1024 * 1024;
/** Lines that wait are written in blocks of this size. */
const BLOCK = 64 * 1024;

/** After an interrupt, output is lost if the reader takes nothing for this long. */
const STALLED_MS = 100;
/** The longest time that an interrupted command writes to a slow reader. */
const LAST_WRITE_MS = 1000;
const CHECK_MS = 10;

/** The part of a stream of Node that a queue needs. */
export interface QueuedStream {
  write(text: string, written: () => void): unknown;
  /** The bytes that the operating system has not accepted. */
  unsent(): number;
}

/**
 * Text that waits for the reader of a pipe. Documents are always kept. Lines of a live stream are dropped while the queue
 * is full: the client must read the control plane at its speed, because a delayed client would report wrong times and
 * resource timers that did not expire.
 */
export class OutputQueue {
  readonly #stream: QueuedStream;
  readonly #onFirstDrop: () => void;
  readonly #waiting: string[] = [];
  /** Characters in `#waiting` and in writes whose callback has not run. */
  #queued = 0;
  /** Writes whose callback has not run. */
  #inFlight = 0;
  #isDropping = false;
  #sinceGap = 0;
  #gap: ((dropped: number) => string) | undefined;
  #dropped = 0;
  readonly #onReady: (() => void)[] = [];

  constructor(stream: QueuedStream, onFirstDrop: () => void) {
    this.#stream = stream;
    this.#onFirstDrop = onFirstDrop;
  }

  get queued(): number {
    return this.#queued;
  }

  /** All dropped lines. */
  get dropped(): number {
    return this.#dropped;
  }

  write(text: string): void {
    this.#queued += text.length;
    // A line is written at once if possible, because stdout and stderr may be the same pipe.
    const isBlocked = this.#inFlight > 0 && this.#stream.unsent() > 0;
    if (isBlocked || this.#waiting.length > 0) this.#waiting.push(text);
    else this.#start(text);
  }

  /** Resolves when the reader has taken most of the text, so that a large document is not in memory as a whole. */
  async ready(): Promise<void> {
    if (this.#queued > READY_AT) await new Promise<void>((resolve) => this.#onReady.push(resolve));
  }

  /** Writes a line, or drops it if the queue is full. `gap` describes the dropped lines before the next line. */
  offer(line: () => string, gap: (dropped: number) => string): void {
    this.#isDropping = this.#queued > (this.#isDropping ? RESUME_AT : MAX_QUEUED);
    if (this.#isDropping) {
      if (this.#dropped++ === 0) this.#onFirstDrop();
      this.#sinceGap++;
      this.#gap = gap;
      return;
    }
    this.closeGap();
    this.write(line());
  }

  /** Describes the lines that were dropped last. */
  closeGap(): void {
    if (this.#gap !== undefined) this.write(this.#gap(this.#sinceGap));
    this.#gap = undefined;
    this.#sinceGap = 0;
  }

  /** Passes everything to the stream, because the process exits. */
  flush(): void {
    const rest = this.#waiting.splice(0).join('');
    if (rest !== '') this.#stream.write(rest, () => {});
  }

  /**
   * Waits for the reader after an interrupt, but not for one that has stopped reading. Returns the number of characters
   * that were not written.
   */
  async drain(clock: Clock): Promise<number> {
    const start = clock.now();
    let progressAt = start;
    let left = this.#left();
    while (this.#queued > 0) {
      const now = clock.now();
      if (now - progressAt >= STALLED_MS || now - start >= LAST_WRITE_MS) break;
      await new Promise<void>((wake) => clock.wakeAt(now + CHECK_MS, wake));
      const before = left;
      left = this.#left();
      if (left < before) progressAt = clock.now();
    }
    return this.#queued;
  }

  #left(): number {
    return this.#queued + this.#stream.unsent();
  }

  #start(text: string): void {
    this.#inFlight++;
    this.#stream.write(text, () => {
      this.#queued -= text.length;
      this.#inFlight--;
      if (this.#queued <= READY_AT) for (const resolve of this.#onReady.splice(0)) resolve();
      if (this.#inFlight === 0 && this.#waiting.length > 0) this.#start(this.#nextBlock());
    });
  }

  #nextBlock(): string {
    let length = 0;
    let count = 0;
    while (count < this.#waiting.length && length < BLOCK) length += this.#waiting[count++]?.length ?? 0;
    return this.#waiting.splice(0, count).join('');
  }
}

import type { Slices } from '../../base/slices.js';
import type { Input } from '../../core/input.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import type { JournalStep } from '../../inspect/history/journal.js';
import type { JournaledEngine } from '../../inspect/history/journaled-engine.js';
import { recordJournal } from '../../inspect/history/recorded-history.js';
import type { HistoryClient } from '../../inspect/history/session-history.js';
import type { Recorder } from '../../inspect/source.js';
import { redaction } from '../recorder.js';
import { LiveRecording } from './live-recording.js';

/** How long the second engine works before other work gets a turn. */
const TURN_MS = 10;

/** Bounds the queue: a control plane may send faster than two engines can read. */
const MAX_QUEUED = 1000;

export interface JournalOptions {
  /** The header of a recording of the session. It tells whether secrets are removed. */
  header: RecordingHeader;
  suppress: ReadonlySet<string>;
  onStep(step: JournalStep): void;
}

/**
 * Follows a live session as a replay of its recording would: a second engine receives the same inputs, from which the
 * secrets are removed. So a page contains no secret that a recording would not contain, also not in parsed resources.
 * The second engine works between the turns of the first one, which it does not delay.
 */
export class LiveJournal implements Recorder {
  readonly client: HistoryClient;
  readonly recording: LiveRecording;
  readonly #engine: JournaledEngine;
  readonly #redact: ((message: Uint8Array) => Uint8Array) | undefined;
  #queue: { input: Input; at: number }[] = [];
  #preparing: Slices<void> | undefined;
  #turn: NodeJS.Immediate | undefined;
  #isClosed = false;

  static async start(options: JournalOptions): Promise<LiveJournal> {
    return new LiveJournal(options, options.header.secrets === 'kept' ? undefined : await redaction());
  }

  private constructor(
    { header, suppress, onStep }: JournalOptions,
    redact: ((message: Uint8Array) => Uint8Array) | undefined,
  ) {
    const { client, engine } = recordJournal(header, onStep, suppress);
    this.client = client;
    this.recording = new LiveRecording(header);
    this.#engine = engine;
    this.#redact = redact;
  }

  record(input: Input, at: number): void {
    if (this.#isClosed) return;
    const safe =
      input.kind === 'message' && this.#redact !== undefined ? { ...input, bytes: this.#redact(input.bytes) } : input;
    this.recording.add(safe, at);
    this.#queue.push({ input: safe, at });
    while (this.#queue.length > MAX_QUEUED) this.#step();
    this.#turn ??= setImmediate(() => this.#work());
  }

  /** The time up to which the steps are complete. */
  now(now: number): number {
    return this.#queue[0]?.at ?? now;
  }

  /** Processes what is left, so that pages see the end of the session. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearImmediate(this.#turn);
    while (this.#queue.length > 0) this.#step();
  }

  #work(): void {
    this.#turn = undefined;
    const end = performance.now() + TURN_MS;
    while (this.#queue.length > 0 && performance.now() < end) this.#step();
    if (this.#queue.length > 0) this.#turn ??= setImmediate(() => this.#work());
  }

  /** Does one slice of the work of an input, or handles it. */
  #step(): void {
    const [next] = this.#queue;
    if (next === undefined) return;
    this.#preparing ??= this.#engine.prepare(next.input);
    if (this.#preparing?.next().done === false) return;
    this.#preparing = undefined;
    this.#queue.shift();
    this.#engine.handle(next.input, next.at);
  }
}

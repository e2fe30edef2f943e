import type { Event } from '../../core/event.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { JournalStep } from './journal.js';
import { type HistoryClient, SessionHistory } from './session-history.js';

/** Estimated memory, in bytes. An estimate is enough: it only bounds what a session of days keeps. */
const EVENT_BYTES = 500;
const NAME_BYTES = 50;
const ENTRY_BYTES = 1000;
/** A parsed resource is several times as large as its bytes. */
const PARSED_FACTOR = 6;

const MAX_BYTES = 64 * 1024 * 1024;

/** The share of the limit that stays after older steps were folded. Folding costs as much as the state is large. */
const KEPT_SHARE = 0.75;

/**
 * The last steps of a session, and the state before them. Older steps are folded into that state, so a session of days
 * needs bounded memory.
 */
export class StepWindow {
  readonly #maxBytes: number;
  /** The state before the first kept step. It has no past. */
  readonly #base: SessionHistory;
  #steps: { step: JournalStep; bytes: number }[] = [];
  #bytes = 0;
  #first = 0;

  constructor(client: HistoryClient, maxBytes = MAX_BYTES) {
    this.#base = new SessionHistory(client);
    this.#maxBytes = maxBytes;
  }

  get client(): HistoryClient {
    return this.#base.client;
  }

  /** The number of the first kept step; 0 if none was folded. */
  get first(): number {
    return this.#first;
  }

  /** The number of the next step. */
  get next(): number {
    return this.#first + this.#steps.length;
  }

  /** Returns whether older steps were folded. */
  add(step: JournalStep): boolean {
    const bytes = bytesOf(step);
    this.#steps.push({ step, bytes });
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return false;
    return this.#fold();
  }

  /** The state before the first kept step, as a step; undefined if all steps of the session are kept. */
  checkpoint(): JournalStep | undefined {
    return this.#first === 0 ? undefined : this.#base.checkpoint();
  }

  /** Kept steps from a number on: as many as fit into a size, at least one if there is one. */
  steps(from: number, maxBytes: number): JournalStep[] {
    const steps: JournalStep[] = [];
    let size = 0;
    for (let i = from - this.#first; i < this.#steps.length; i++) {
      const { step, bytes } = this.#steps[i] as { step: JournalStep; bytes: number };
      size += bytes;
      if (steps.length > 0 && size > maxBytes) break;
      steps.push(step);
    }
    return steps;
  }

  /** The entries of the state before the window, and of all kept steps. A version may occur several times. */
  *entries(): Iterable<CacheEntry> {
    for (const { entries } of this.#base.at(Number.POSITIVE_INFINITY).snapshot) yield* entries;
    for (const { step } of this.#steps) for (const { entries } of step.scopes) yield* entries;
  }

  #fold(): boolean {
    let count = 0;
    for (let kept = this.#bytes; kept > KEPT_SHARE * this.#maxBytes && count < this.#steps.length; count++)
      kept -= this.#steps[count]?.bytes ?? 0;
    // The steps of a moment stay together, because the verdicts are those after it.
    const timeOf = (index: number): number | undefined => this.#steps[index]?.step.at;
    while (count < this.#steps.length && timeOf(count) === timeOf(count - 1)) count++;
    // The last moment may not be over.
    const last = timeOf(this.#steps.length - 1);
    while (count > 0 && timeOf(count - 1) === last) count--;
    if (count === 0) return false;
    for (const { step, bytes } of this.#steps.slice(0, count)) {
      this.#base.apply(step);
      this.#bytes -= bytes;
    }
    this.#base.forget(Number.POSITIVE_INFINITY);
    this.#steps = this.#steps.slice(count);
    this.#first += count;
    return true;
  }
}

function bytesOf({ events, scopes }: JournalStep): number {
  let bytes = EVENT_BYTES;
  for (const { event } of events) bytes += EVENT_BYTES + NAME_BYTES * namesOf(event);
  for (const { entries, channels } of scopes) {
    for (const entry of entries)
      bytes += ENTRY_BYTES + PARSED_FACTOR * ((entry.bytes?.length ?? 0) + (entry.rejected?.length ?? 0));
    for (const { state } of channels)
      bytes += ENTRY_BYTES + (state.kind === 'published' ? ENTRY_BYTES * state.config.clusters.size : 0);
  }
  return bytes;
}

function namesOf(event: Event): number {
  return 'names' in event ? event.names.length : 0;
}

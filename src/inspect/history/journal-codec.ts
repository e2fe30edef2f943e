import type { Watcher } from '../../core/watcher.js';
import type { EntryCopy, JournalStep } from './journal.js';
import type { HistoryClient } from './session-history.js';
import { type FromBase64, type ToBase64, ValueDecoder, ValueEncoder } from './value-codec.js';

/** An entry as it is sent: its watchers have no state. */
interface SentEntry extends Omit<EntryCopy, 'watchers'> {
  watchers: number;
}

/** Steps as they are sent. */
export interface SentSteps {
  /** The sender has started a new epoch: it does not refer to objects that it sent before. */
  isNewEpoch: boolean;
  steps: readonly unknown[];
}

/** Bounds the table of objects that can be referred to, in addition to those of the first messages. */
const MAX_OBJECTS = 200_000;

/** Encodes the journal of a session for one reader, which must decode all messages in order. */
export class JournalEncoder {
  readonly #values: ValueEncoder;
  readonly #maxObjects: number;
  #limit: number | undefined;

  constructor({ maxObjects = MAX_OBJECTS, base64 }: { maxObjects?: number; base64?: ToBase64 } = {}) {
    this.#values = new ValueEncoder(base64);
    this.#maxObjects = maxObjects;
  }

  /** Returns JSON text. */
  client(client: HistoryClient): string {
    return this.#values.encode(client);
  }

  /**
   * Returns the fields of `SentSteps` as JSON text, without braces: a message contains others, too. No epoch ends while
   * the reader catches up, because later steps refer to most of the first ones.
   */
  steps(steps: readonly JournalStep[], isCatchingUp = false): string {
    const isNewEpoch = !isCatchingUp && this.#limit !== undefined && this.#values.size > this.#limit;
    if (isNewEpoch) this.#values.reset();
    const text = `"isNewEpoch":${isNewEpoch},"steps":${this.#values.encode(steps.map(sentStep))}`;
    if (isCatchingUp) this.#limit = undefined;
    else if (this.#limit === undefined || isNewEpoch) this.#limit = this.#values.size + this.#maxObjects;
    return text;
  }
}

function sentStep(step: JournalStep): object {
  return { ...step, scopes: step.scopes.map((change) => ({ ...change, entries: change.entries.map(sentEntry) })) };
}

function sentEntry(entry: EntryCopy): SentEntry {
  return { ...entry, watchers: entry.watchers.length };
}

const WATCHER: Watcher = { kind: 'internal' };

/** Decodes the messages of one encoder. A history of the decoded steps equals one of the original steps. */
export class JournalDecoder {
  readonly #values: ValueDecoder;

  constructor({ base64 }: { base64?: FromBase64 } = {}) {
    this.#values = new ValueDecoder(base64);
  }

  client(sent: unknown): HistoryClient {
    return this.#values.decode(sent) as HistoryClient;
  }

  steps({ isNewEpoch, steps }: SentSteps): JournalStep[] {
    if (isNewEpoch) this.#values.reset();
    const received = this.#values.decode(steps) as JournalStep[];
    for (const { scopes } of received) {
      for (const change of scopes)
        change.entries = change.entries.map((one) => receivedEntry(one as unknown as SentEntry));
    }
    return received;
  }
}

function receivedEntry(sent: SentEntry): EntryCopy {
  return { ...sent, watchers: Array.from({ length: sent.watchers }, () => WATCHER) };
}

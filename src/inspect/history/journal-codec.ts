import type { CacheEntry } from '../../core/resource-cache.js';
import type { Watcher } from '../../core/watcher.js';
import type { JournalStep } from './journal.js';
import type { HistoryClient } from './session-history.js';
import { ValueDecoder, ValueEncoder } from './value-codec.js';

/** Identifies the contents of a resource. The page asks for them by key when it shows them. */
export type KeyOf = (typeUrl: string, bytes: Uint8Array) => string;

/** An entry as it is sent: a watcher has no state, and bytes are replaced by their key. */
interface SentEntry extends Omit<CacheEntry, 'watchers' | 'bytes' | 'rejected'> {
  watchers: number;
  bytes: string | undefined;
  rejected: string | undefined;
}

/** Steps as they are sent. */
export interface SentSteps {
  /** The sender has started a new epoch: it does not refer to objects that it sent before. */
  isNewEpoch: boolean;
  steps: readonly unknown[];
}

/** Bounds the table of objects that can be referred to, in addition to those of the first message. */
const MAX_OBJECTS = 200_000;

/** Encodes the journal of a session for one reader, which must decode all messages in order. */
export class JournalEncoder {
  readonly #values = new ValueEncoder();
  readonly #keyOf: KeyOf;
  readonly #maxObjects: number;
  #limit: number | undefined;

  constructor(keyOf: KeyOf, maxObjects = MAX_OBJECTS) {
    this.#keyOf = keyOf;
    this.#maxObjects = maxObjects;
  }

  /** Returns JSON text. */
  client(client: HistoryClient): string {
    return this.#values.encode(client);
  }

  /** Returns the fields of `SentSteps` as JSON text, without braces: a message contains others, too. */
  steps(steps: readonly JournalStep[]): string {
    const isNewEpoch = this.#limit !== undefined && this.#values.size > this.#limit;
    if (isNewEpoch) this.#values.reset();
    const text = `"isNewEpoch":${isNewEpoch},"steps":${this.#values.encode(steps.map((step) => this.#step(step)))}`;
    if (this.#limit === undefined || isNewEpoch) this.#limit = this.#values.size + this.#maxObjects;
    return text;
  }

  #step(step: JournalStep): object {
    const scopes = step.scopes.map((change) => ({ ...change, entries: change.entries.map((one) => this.#entry(one)) }));
    return { ...step, scopes };
  }

  #entry(entry: CacheEntry): SentEntry {
    const { typeUrl, bytes, rejected, watchers } = entry;
    return {
      ...entry,
      watchers: watchers.length,
      bytes: bytes && this.#keyOf(typeUrl, bytes),
      rejected: rejected && this.#keyOf(typeUrl, rejected),
    };
  }
}

const WATCHER: Watcher = { kind: 'internal' };

/** Decodes the messages of one encoder. A history of the decoded steps equals one of the original steps. */
export class JournalDecoder {
  readonly #values = new ValueDecoder();
  readonly #bytesOf: (key: string) => Uint8Array;

  /** `bytesOf`: the object that stands for the bytes of a key, the same one for the same key. */
  constructor(bytesOf: (key: string) => Uint8Array) {
    this.#bytesOf = bytesOf;
  }

  client(sent: unknown): HistoryClient {
    return this.#values.decode(sent) as HistoryClient;
  }

  steps({ isNewEpoch, steps }: SentSteps): JournalStep[] {
    if (isNewEpoch) this.#values.reset();
    const received = this.#values.decode(steps) as JournalStep[];
    for (const { scopes } of received) {
      for (const change of scopes)
        change.entries = change.entries.map((one) => this.#entry(one as unknown as SentEntry));
    }
    return received;
  }

  #entry(sent: SentEntry): CacheEntry {
    const { bytes, rejected, watchers } = sent;
    return {
      ...sent,
      watchers: Array.from({ length: watchers }, () => WATCHER),
      bytes: bytes === undefined ? undefined : this.#bytesOf(bytes),
      rejected: rejected === undefined ? undefined : this.#bytesOf(rejected),
    };
  }
}

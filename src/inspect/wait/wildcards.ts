import { RESOURCE_TYPES, type ShortType } from '../../proto/resource-types.js';
import { type GetInspection, openGet } from '../get.js';
import type { LiveSource } from '../source.js';

/** What a wildcard subscription has received. */
export interface WildcardCount {
  /** The number of accepted resources; undefined without a response. */
  accepted: number | undefined;
  /** The number of resources of the last response that gRPC rejects, or for which it contained an error. */
  failed: number;
  /** Why nothing can be received at the moment. */
  failure: string | undefined;
}

export type WildcardCounts = ReadonlyMap<ShortType, WildcardCount>;

/** The time before the next attempt if no server could be reached. */
const RETRY_MS = 1000;

/**
 * Wildcard subscriptions, for control planes that serve all resources of a type. A gRPC client only requests resources by
 * name, so each type has a stream of its own. Retries until it is closed.
 */
export class Wildcards {
  readonly #source: LiveSource;
  readonly #subscriptions: Subscription[];
  readonly #listeners = new Set<() => void>();

  constructor(source: LiveSource, types: readonly ShortType[]) {
    this.#source = source;
    this.#subscriptions = types.map((type) => new Subscription(source, type, () => this.#changed()));
  }

  get types(): ShortType[] {
    return this.#subscriptions.map(({ type }) => type);
  }

  async start(): Promise<void> {
    await Promise.all(this.#subscriptions.map((one) => one.start()));
  }

  counts(): WildcardCounts {
    return new Map(this.#subscriptions.map((one) => [one.type, one.count()]));
  }

  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  close(): void {
    for (const one of this.#subscriptions) one.close();
  }

  /** Later in the same moment, when the state is up to date. */
  #changed(): void {
    const { clock } = this.#source.ports;
    clock.wakeAt(clock.now(), () => {
      for (const listener of this.#listeners) listener();
    });
  }
}

/** One wildcard subscription, repeated if its servers fail. */
class Subscription {
  readonly type: ShortType;
  readonly #source: LiveSource;
  readonly #changed: () => void;
  #current: GetInspection | undefined;
  /** Why the last attempt failed, until the next one has a response. */
  #failure: string | undefined;
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(source: LiveSource, type: ShortType, changed: () => void) {
    this.#source = source;
    this.type = type;
    this.#changed = changed;
  }

  async start(): Promise<void> {
    const request = { names: [], ignoresAuthorities: true, nack: undefined, follows: true, timeoutMs: undefined };
    const opened = await openGet(this.#source, new Set(), { ...request, typeUrl: RESOURCE_TYPES[this.type] });
    if (this.#isClosed) {
      opened.close();
      return;
    }
    this.#current = opened;
    opened.events.subscribe(() => this.#onEvent(opened));
    opened.start();
  }

  count(): WildcardCount {
    const fetch = this.#current?.fetch;
    if (fetch?.version === undefined) return { accepted: undefined, failed: 0, failure: this.#failure };
    const { entries } = fetch;
    const accepted = entries.filter(({ status }) => status === 'ACKED').length;
    return { accepted, failed: entries.length - accepted, failure: undefined };
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
    this.#current?.close();
  }

  #onEvent(opened: GetInspection): void {
    const { clock } = this.#source.ports;
    this.#changed();
    // The state changes after the event.
    if (this.#cancelRetry === undefined)
      this.#cancelRetry = clock.wakeAt(clock.now(), () => {
        this.#cancelRetry = undefined;
        if (opened.fetch.state === 'failed' && this.#current === opened) this.#retry(opened);
      });
  }

  #retry(failed: GetInspection): void {
    const failure = failed.fetch.failures.at(-1);
    this.#failure = failure && `${failure.server}: ${failure.reason}`;
    this.#current = undefined;
    failed.close();
    this.#changed();
    const { clock } = this.#source.ports;
    this.#cancelRetry = clock.wakeAt(clock.now() + RETRY_MS, () => {
      this.#cancelRetry = undefined;
      void this.start();
    });
  }
}

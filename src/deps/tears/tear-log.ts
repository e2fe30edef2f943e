import type { Tear, TearResolution } from './tear.js';

/** Limits the list of tears. Closed tears are dropped first. */
const MAX_KEPT = 10_000;

/** Receives tears as they open and close. */
export interface TearListener {
  onOpened(tear: Tear): void;
  onClosed(tear: Tear): void;
}

/** The tears of one target: at most one open tear per key. */
export class TearLog {
  readonly tears: Tear[] = [];
  readonly #open = new Map<string, Tear>();
  /** The number of closed tears in the list. */
  #closed = 0;
  /** Open tears that the list had no room for. */
  readonly #dropped = new Set<Tear>();
  readonly #listener: TearListener;

  constructor(listener: TearListener) {
    this.#listener = listener;
  }

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  get(key: string): Tear | undefined {
    return this.#open.get(key);
  }

  entries(): Iterable<[string, Tear]> {
    return this.#open;
  }

  open(key: string, tear: Tear): void {
    if (this.#open.has(key)) return;
    this.#open.set(key, tear);
    this.#keep(tear);
    this.#listener.onOpened(tear);
  }

  close(key: string, resolvedBy: TearResolution, now: number): void {
    const tear = this.#open.get(key);
    if (tear === undefined) return;
    this.#open.delete(key);
    tear.end = now;
    tear.resolvedBy = resolvedBy;
    if (!this.#dropped.delete(tear)) this.#closed++;
    this.#listener.onClosed(tear);
  }

  closeAll(now: number): void {
    for (const key of [...this.#open.keys()]) this.close(key, 'no-longer-needed', now);
  }

  /** Adds a closed tear. */
  add(tear: Tear): void {
    this.#closed++;
    this.#keep(tear);
    this.#listener.onOpened(tear);
    this.#listener.onClosed(tear);
  }

  /** A search for a closed tear where there is none would make the time quadratic: 100,000 tears can open at once. */
  #keep(tear: Tear): void {
    this.tears.push(tear);
    if (this.tears.length <= MAX_KEPT) return;
    if (this.#closed > 0) {
      this.#closed--;
      const oldestClosed = this.tears.findIndex(({ end }) => end !== undefined);
      this.tears.splice(oldestClosed, 1);
      return;
    }
    const oldest = this.tears.shift();
    if (oldest !== undefined) this.#dropped.add(oldest);
  }
}

export type TearFields = Pick<Tear, 'kind' | 'begin' | 'wouldHave' | 'instead'> & Partial<Tear>;

/** Creates an open tear. */
export function makeTear(fields: TearFields): Tear {
  const none = { end: undefined, resolvedBy: undefined, neededBy: undefined };
  return { ...none, resources: [], routes: [], filters: [], servers: [], ...fields };
}

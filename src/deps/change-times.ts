/** A change of the resolved configuration of a target: what the control plane sent, and when RPCs used all of it. */
export interface ConfigChange {
  /** Counts from 1. */
  id: number;
  /** When the first response with new contents arrived. */
  begin: number;
  /** When the configuration last changed, or its last tear was resolved. */
  end: number;
  /** The target had no configuration before. */
  isFirst: boolean;
  /** A later step found that it is over. Until then, time alone may end it. */
  isOver: boolean;
}

/** A change is over if the configuration has not changed for this time. Further responses begin a new change. */
export const CHANGE_QUIET_MS = 200;

/** Limits the list of changes. The oldest are dropped. */
const MAX_CHANGES = 10_000;

/** Measures how long the changes of one target take. */
export class ChangeTimes {
  readonly changes: ConfigChange[] = [];
  /** Whether a newer configuration is incomplete, or a tear is open. */
  readonly #isIncomplete: () => boolean;
  /** When the first response of the current change arrived. Not every response changes the configuration. */
  #begin: number | undefined;
  #current: ConfigChange | undefined;
  #lastActivity = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(isIncomplete: () => boolean) {
    this.#isIncomplete = isIncomplete;
  }

  /** Ends a change that is over. Call it at the start of a step: the state since the last step decides. */
  beginStep(now: number): void {
    if (this.#begin === undefined || now - this.#lastActivity < CHANGE_QUIET_MS || this.#isIncomplete()) return;
    this.#begin = undefined;
    if (this.#current !== undefined) this.#current.isOver = true;
    this.#current = undefined;
  }

  /** A response changed a resource that the target needs. */
  onResponse(now: number): void {
    this.#begin ??= now;
    this.#lastActivity = now;
  }

  /** The configuration changed. It may also change without a response: a timer expires, or a host name is resolved. */
  onApplied(now: number): void {
    if (this.#begin === undefined) return;
    this.#lastActivity = now;
    if (this.#current === undefined)
      this.#add({ id: ++this.#count, begin: this.#begin, end: now, isFirst: this.#count === 1, isOver: false });
    else this.#current.end = now;
  }

  onTearClosed(now: number): void {
    if (this.#current === undefined) return;
    this.#lastActivity = now;
    this.#current.end = now;
  }

  #add(change: ConfigChange): void {
    this.#current = change;
    this.changes.push(change);
    if (this.changes.length > MAX_CHANGES) this.changes.shift();
  }
}

import { ErrorLog, type ErrorLogState } from '../error-log.js';
import { type FactsState, VerdictFacts } from '../verdict/facts.js';
import type { FoldedEvents, LoggedEvent } from './journal.js';
import { countUpTo } from './versions.js';

/** The facts and errors that follow from the events up to some time. */
interface Fold {
  facts: VerdictFacts;
  errors: ErrorLog;
}

/** A fold of the first `count` events. */
interface Checkpoint {
  count: number;
  facts: FactsState;
  errors: ErrorLogState;
}

/** The number of events between two checkpoints. */
const INTERVAL = 1000;

/** The events of a session, and the folds over them at any time: each starts from the nearest checkpoint. */
export class EventLog {
  readonly #events: LoggedEvent[] = [];
  /** The step of each event. */
  readonly #steps: number[] = [];
  readonly #newest: Fold = { facts: new VerdictFacts(), errors: new ErrorLog() };
  #checkpoints: Checkpoint[] = [{ count: 0, facts: this.#newest.facts.state(), errors: this.#newest.errors.state() }];
  /** The number of events that were forgotten. */
  #forgotten = 0;

  /** Starts from the folds over events that are not in the log. */
  constructor(folded?: FoldedEvents) {
    if (folded === undefined) return;
    const { facts, errors, count } = folded;
    this.#newest = { facts: new VerdictFacts(facts), errors: new ErrorLog(errors) };
    this.#checkpoints = [{ count: 0, facts, errors }];
    this.#forgotten = count;
  }

  /** Events that are still in the log, the oldest first. */
  get events(): readonly LoggedEvent[] {
    return this.#events;
  }

  get forgotten(): number {
    return this.#forgotten;
  }

  append(logged: LoggedEvent, step: number): void {
    this.#events.push(logged);
    this.#steps.push(step);
    fold(this.#newest, logged);
    if (this.#events.length % INTERVAL === 0) {
      const { facts, errors } = this.#newest;
      this.#checkpoints.push({ count: this.#events.length, facts: facts.state(), errors: errors.state() });
    }
  }

  /** The number of events up to a step. */
  countAt(step: number): number {
    return countUpTo(this.#steps, step);
  }

  /** The facts and errors after a step. */
  at(step: number): Fold {
    const count = this.countAt(step);
    if (count === this.#events.length) return this.#newest;
    const index =
      countUpTo(
        this.#checkpoints.map((one) => one.count),
        count,
      ) - 1;
    const nearest = this.#checkpoints[index] as Checkpoint;
    const result = { facts: new VerdictFacts(nearest.facts), errors: new ErrorLog(nearest.errors) };
    for (let i = nearest.count; i < count; i++) fold(result, this.#events[i] as LoggedEvent);
    return result;
  }

  /** Forgets the events up to a step. Their folds stay. */
  forget(step: number): void {
    const count = this.countAt(step);
    if (count === 0) return;
    const { facts, errors } = this.at(step);
    const first = { count: 0, facts: facts.state(), errors: errors.state() };
    const rest = this.#checkpoints.filter((one) => one.count > count);
    this.#checkpoints = [first, ...rest.map((one) => ({ ...one, count: one.count - count }))];
    this.#events.splice(0, count);
    this.#steps.splice(0, count);
    this.#forgotten += count;
  }
}

function fold({ facts, errors }: Fold, { event }: LoggedEvent): void {
  facts.observe(event);
  errors.observe(event);
}

import type { Event } from '../../core/event.js';
import type { ClientInspection } from '../inspection.js';
import type { Look } from '../until.js';
import type { Condition } from './condition.js';
import { Waiting } from './waiting.js';

/** Conditions on an inspection, from the first look at it. */
export class WaitFor {
  readonly #inspection: ClientInspection;
  readonly #conditions: readonly Condition[];
  #waiting: Waiting | undefined;

  constructor(inspection: ClientInspection, conditions: readonly Condition[]) {
    this.#inspection = inspection;
    this.#conditions = conditions;
  }

  /** Holds when all conditions hold at one moment. */
  readonly condition = (now: number): Look => {
    const { isMet, nextLook } = this.look(now);
    return { isMet, again: nextLook };
  };

  look(now: number): Waiting {
    this.#waiting ??= new Waiting(this.#conditions, this.#inspection.bootstrap.node?.id, now);
    this.#waiting.look(this.#inspection.snapshot(), now);
    return this.#waiting;
  }

  readonly observe = (event: Event): void => this.#waiting?.observe(event);

  get text(): string {
    const missing = this.#waiting?.missing ?? [];
    const all = this.#conditions.length;
    return `waiting for ${missing.join(', ')} · ${all - missing.length} of ${all} hold`;
  }
}

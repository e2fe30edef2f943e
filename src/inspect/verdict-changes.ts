import type { Event } from '../core/event.js';
import type { TargetVerdict } from './verdict/verdict.js';
import type { PastVerdict } from './verdict-history.js';

/** Verdicts change only after events of these kinds. */
const RELEVANT_EVENTS: ReadonlySet<Event['kind']> = new Set([
  'channel',
  'stream',
  'error',
  'config',
  'fallback',
  'tear',
]);

/** Further changes are only counted. */
const MAX_KEPT = 1000;

/** Limits the number of evaluated routes and clusters: a free quota, then one that grows with the time of the session. */
interface WorkLimit {
  free: number;
  /** The time after which this much more work is allowed, in milliseconds. */
  timeFor(work: number): number;
}

/** Keeps the replay of a long recording fast: the allowed work grows with the square root of its duration. */
const RECORDED: WorkLimit = { free: 100_000, timeFor: (work) => (work / 200) ** 2 };
/** Keeps a live session responsive: a verdict on a thousand routes may be late by a fraction of a second. */
export const LIVE: WorkLimit = { free: 10_000, timeFor: (work) => work / 10 };

/** The verdict changes of a session, with their times. Ignores causes that are config tears: views show tears separately. */
export class VerdictChanges {
  readonly changes: PastVerdict[] = [];
  readonly #computeVerdicts: () => TargetVerdict[];
  readonly #start: number;
  readonly #limit: WorkLimit;
  readonly #keys = new Map<string, string>();
  /** The time of the last event that may have changed a verdict; undefined if the verdicts are up to date. */
  #staleSince: number | undefined;
  #work = 0;
  #dropped = 0;

  constructor(computeVerdicts: () => TargetVerdict[], start: number, limit = RECORDED) {
    this.#computeVerdicts = computeVerdicts;
    this.#start = start;
    this.#limit = limit;
  }

  /** Number of changes that were not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  observe(event: Event): void {
    if (RELEVANT_EVENTS.has(event.kind) || (event.kind === 'resource' && event.change === 'cleared'))
      this.#staleSince = event.at;
  }

  /** Continues after these changes. */
  resume(changes: readonly PastVerdict[]): void {
    for (const { scope, target, verdict, cause } of changes)
      this.#keys.set(`${scope}\n${target}`, verdictKey(verdict, cause));
  }

  /** Updates stale verdicts, within the work limit. Call it after all events of a moment were processed. */
  update(now: number): void {
    if (this.#staleSince !== undefined && now >= this.#allowedAt) this.finish();
  }

  /** When to call `update` again without new events; undefined if the verdicts are up to date. */
  get nextCheck(): number | undefined {
    return this.#staleSince === undefined ? undefined : this.#allowedAt;
  }

  get #allowedAt(): number {
    return this.#start + this.#limit.timeFor(Math.max(0, this.#work - this.#limit.free));
  }

  /** Updates stale verdicts regardless of the work limit. */
  finish(): void {
    if (this.#staleSince === undefined) return;
    const at = this.#staleSince;
    this.#staleSince = undefined;
    for (const verdict of this.#computeVerdicts()) {
      this.#work += 1 + verdict.routes.reduce((sum, { clusters }) => sum + 1 + clusters.length, 0);
      this.#compare(verdict, at);
    }
  }

  #compare({ scope, target, verdict, cause: found }: TargetVerdict, at: number): void {
    const cause = found?.code === 'config-tear' ? null : found;
    const targetKey = `${scope}\n${target}`;
    const key = verdictKey(verdict, cause);
    const known = this.#keys.get(targetKey);
    if (known === key) return;
    this.#keys.set(targetKey, key);
    // Every target starts with `waiting`, so that is not a change.
    if (known === undefined && verdict === 'waiting') return;
    if (this.changes.length < MAX_KEPT) this.changes.push({ scope, target, verdict, cause, at });
    else this.#dropped++;
  }
}

function verdictKey(verdict: PastVerdict['verdict'], cause: PastVerdict['cause']): string {
  const causeKey = verdict === 'waiting' ? '' : [cause?.code, cause?.resource?.type, cause?.resource?.name].join('\n');
  return `${verdict}\n${causeKey}`;
}

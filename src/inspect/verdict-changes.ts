import type { Event } from '../core/event.js';
import type { TargetVerdict } from './verdict/verdict.js';
import type { PastVerdict } from './verdict-history.js';

/** Events without which no verdict changes. */
const RELEVANT_EVENTS: ReadonlySet<Event['kind']> = new Set([
  'channel',
  'stream',
  'error',
  'config',
  'fallback',
  'tear',
]);

/** More changes than these are counted only. */
const MAX_KEPT = 1000;

/** How many routes and clusters may be judged: so many at first, and so many per millisecond of the session. */
interface WorkLimit {
  free: number;
  perMs: number;
}

/** A long recording is still read at once. */
const RECORDED: WorkLimit = { free: 100_000, perMs: 1 };
/** A live session stays responsive: a verdict of a thousand routes may be late by a fraction of a second. */
export const LIVE: WorkLimit = { free: 10_000, perMs: 10 };

/** The changes of each verdict in a session, each with its time. Tears are told elsewhere: that there were some is no change. */
export class VerdictChanges {
  readonly changes: PastVerdict[] = [];
  readonly #computeVerdicts: () => TargetVerdict[];
  readonly #start: number;
  readonly #limit: WorkLimit;
  readonly #keys = new Map<string, string>();
  /** When something last happened that may have changed a verdict; undefined if all were judged since. */
  #staleSince: number | undefined;
  #work = 0;
  #dropped = 0;

  constructor(computeVerdicts: () => TargetVerdict[], start: number, limit = RECORDED) {
    this.#computeVerdicts = computeVerdicts;
    this.#start = start;
    this.#limit = limit;
  }

  /** How many changes were not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  observe(event: Event): void {
    if (RELEVANT_EVENTS.has(event.kind) || (event.kind === 'resource' && event.change === 'cleared'))
      this.#staleSince = event.at;
  }

  /** Judges all targets if something has happened: call it when everything of a moment was processed. */
  update(now: number): void {
    if (this.#staleSince !== undefined && now >= this.#allowedAt) this.finish();
  }

  /** When to look again although nothing happens; undefined if all were judged. */
  get nextCheck(): number | undefined {
    return this.#staleSince === undefined ? undefined : this.#allowedAt;
  }

  get #allowedAt(): number {
    return this.#start + Math.max(0, this.#work - this.#limit.free) / this.#limit.perMs;
  }

  /** Judges all targets as they are at the end. */
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
    const causeKey =
      verdict === 'waiting' ? '' : [cause?.code, cause?.resource?.type, cause?.resource?.name].join('\n');
    const key = `${verdict}\n${causeKey}`;
    const known = this.#keys.get(targetKey);
    if (known === key) return;
    this.#keys.set(targetKey, key);
    // Every target begins with `waiting`, which is no news.
    if (known === undefined && verdict === 'waiting') return;
    if (this.changes.length < MAX_KEPT) this.changes.push({ scope, target, verdict, cause, at });
    else this.#dropped++;
  }
}

import type { Event } from '../core/event.js';
import type { TargetVerdict } from './verdict/verdict.js';
import type { PastVerdict } from './verdict-history.js';

/** Events without which no verdict changes. */
const TELLING: ReadonlySet<Event['kind']> = new Set(['channel', 'stream', 'error', 'config', 'fallback', 'tear']);

/** More changes than these are counted only. */
const MAX_KEPT = 1000;

/** Routes and clusters that may be judged beside one per millisecond of the session: a long recording is still read at once. */
const FREE_WORK = 100_000;

/** The changes of each verdict in a session, each with its time. Tears are told elsewhere: that there were some is no change. */
export class VerdictChanges {
  readonly changes: PastVerdict[] = [];
  readonly #judge: () => TargetVerdict[];
  readonly #start: number;
  readonly #keys = new Map<string, string>();
  /** When something last happened that may have changed a verdict; undefined if all were judged since. */
  #touchedAt: number | undefined;
  #work = 0;
  #dropped = 0;

  constructor(judge: () => TargetVerdict[], start: number) {
    this.#judge = judge;
    this.#start = start;
  }

  /** How many changes were not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  observe(event: Event): void {
    if (TELLING.has(event.kind) || (event.kind === 'resource' && event.change === 'cleared'))
      this.#touchedAt = event.at;
  }

  /** Judges all targets if something has happened: call it when everything of a moment was processed. */
  look(now: number): void {
    if (this.#touchedAt !== undefined && this.#work <= FREE_WORK + (now - this.#start)) this.finish();
  }

  /** Judges all targets as they are at the end. */
  finish(): void {
    if (this.#touchedAt === undefined) return;
    const at = this.#touchedAt;
    this.#touchedAt = undefined;
    for (const verdict of this.#judge()) {
      this.#work += 1 + verdict.routes.reduce((sum, { clusters }) => sum + 1 + clusters.length, 0);
      this.#compare(verdict, at);
    }
  }

  #compare({ scope, target, verdict, cause: found }: TargetVerdict, at: number): void {
    const cause = found?.code === 'config-tear' ? null : found;
    const who = `${scope}\n${target}`;
    const what = verdict === 'waiting' ? '' : [cause?.code, cause?.resource?.type, cause?.resource?.name].join('\n');
    const key = `${verdict}\n${what}`;
    const known = this.#keys.get(who);
    if (known === key) return;
    this.#keys.set(who, key);
    // Every target begins with `waiting`, which is no news.
    if (known === undefined && verdict === 'waiting') return;
    if (this.changes.length < MAX_KEPT) this.changes.push({ scope, target, verdict, cause, at });
    else this.#dropped++;
  }
}

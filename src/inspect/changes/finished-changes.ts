import type { Event } from '../../core/event.js';
import { CHANGE_QUIET_MS } from '../../deps/change-times.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import { changeSummary, durationOf } from './change-summary.js';

/** A change of a target that is over. */
export interface FinishedChange {
  /** When it ended. */
  at: number;
  target: string;
  durationMs: number;
}

/** Changes end only after events of these kinds. */
const RELEVANT_EVENTS: ReadonlySet<Event['kind']> = new Set(['config', 'tear']);

/** Reports each change of the targets once, after it is over. Reads the channels only when a change may have ended. */
export class FinishedChanges {
  readonly #channels: () => readonly ChannelSnapshot[];
  /** The id of the last reported change by target. */
  readonly #reported = new Map<string, number>();
  #dueAt: number | undefined;

  constructor(channels: () => readonly ChannelSnapshot[]) {
    this.#channels = channels;
  }

  observe({ kind, at }: Event): void {
    if (RELEVANT_EVENTS.has(kind)) this.#dueAt = at + CHANGE_QUIET_MS;
  }

  /** When to call `take` again without new events; undefined if no change can have ended by then. */
  get nextCheck(): number | undefined {
    return this.#dueAt;
  }

  /** Returns the changes that ended since the last call. */
  take(now: number): FinishedChange[] {
    if (this.#dueAt === undefined || now < this.#dueAt) return [];
    this.#dueAt = undefined;
    return this.#channels().flatMap((channel) => {
      const { ongoing } = changeSummary(channel, now);
      const known = this.#reported.get(channel.target) ?? 0;
      const finished = channel.changes.filter((change) => change.id > known && change !== ongoing);
      this.#reported.set(channel.target, finished.at(-1)?.id ?? known);
      return finished
        .filter(({ isFirst }) => !isFirst)
        .map((change) => ({ at: change.end, target: channel.target, durationMs: durationOf(change) }));
    });
  }
}

import { earliestOf } from '../base/earliest.js';
import type { Event } from '../core/event.js';
import type { CacheEntry } from '../core/resource-cache.js';

type Resource = Pick<CacheEntry, 'typeUrl' | 'name'>;

/** When the resource timers that were started end, as the log tells it. */
export class TimerEnds {
  readonly #ends = new Map<string, number>();

  observe(event: Event): void {
    if (event.kind !== 'timer' || event.change !== 'started') return;
    const { at, typeUrl, names, milliseconds = 0 } = event;
    for (const name of names) this.#ends.set(keyOf({ typeUrl, name }), at + milliseconds);
  }

  /** The first that is still to come. */
  next(open: readonly Resource[], now: number): number | undefined {
    return earliestOf(open, (resource) => {
      const end = this.#ends.get(keyOf(resource));
      return end !== undefined && end >= now ? end : undefined;
    });
  }
}

function keyOf({ typeUrl, name }: Resource): string {
  return `${typeUrl} ${name}`;
}

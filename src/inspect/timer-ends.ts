import type { Event } from '../core/event.js';
import type { CacheEntry } from '../core/resource-cache.js';

type Resource = Pick<CacheEntry, 'typeUrl' | 'name'>;

/** Collects the end times of running resource timers from the event log. Names are indexed only in `next`. */
export class TimerEnds {
  /** In the order of their start, without expired timers. */
  readonly #started: { typeUrl: string; names: readonly string[]; end: number }[] = [];

  observe(event: Event): void {
    if (event.kind !== 'timer' || event.change !== 'started') return;
    const { at, typeUrl, names, milliseconds = 0 } = event;
    while (this.#started[0] !== undefined && this.#started[0].end < at) this.#started.shift();
    this.#started.push({ typeUrl, names, end: at + milliseconds });
  }

  /** The first future end of a timer among these resources. */
  next(open: readonly Resource[], now: number): number | undefined {
    const ends = new Map(
      this.#started.flatMap(({ typeUrl, names, end }) => names.map((name) => [keyOf({ typeUrl, name }), end])),
    );
    let next: number | undefined;
    for (const resource of open) {
      const end = ends.get(keyOf(resource));
      if (end !== undefined && end >= now && (next === undefined || end < next)) next = end;
    }
    return next;
  }
}

function keyOf({ typeUrl, name }: Resource): string {
  return `${typeUrl} ${name}`;
}

import type { Event } from '../core/event.js';
import type { CacheEntry } from '../core/resource-cache.js';

type Resource = Pick<CacheEntry, 'typeUrl' | 'name'>;

/** When the resource timers expire that are running, from the log. Names are looked up only when somebody asks. */
export class TimerEnds {
  /** In the order in which they were started; those that have expired are dropped. */
  readonly #started: { typeUrl: string; names: readonly string[]; end: number }[] = [];

  observe(event: Event): void {
    if (event.kind !== 'timer' || event.change !== 'started') return;
    const { at, typeUrl, names, milliseconds = 0 } = event;
    while (this.#started[0] !== undefined && this.#started[0].end < at) this.#started.shift();
    this.#started.push({ typeUrl, names, end: at + milliseconds });
  }

  /** The first that is still to come. */
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

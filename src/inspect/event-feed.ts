import type { Event } from '../core/event.js';

/** `isRepeated`: one of very many events that say the same, and that a finding counts. */
export type EventListener = (event: Event, isRepeated: boolean) => void;

/** The ordered log of an inspection, as it is written. Subscribe before the inspection starts to see all of it. */
export class EventFeed {
  readonly #listeners = new Set<EventListener>();

  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  publish(event: Event, isRepeated: boolean): void {
    for (const listener of this.#listeners) listener(event, isRepeated);
  }
}

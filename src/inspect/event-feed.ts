import type { Event } from '../core/event.js';

/** `isRepeated`: the event is one of many equal events that a finding counts. */
export type EventListener = (event: Event, isRepeated: boolean) => void;

/** The ordered event log of an inspection. Subscribe before the inspection starts to receive all events. */
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

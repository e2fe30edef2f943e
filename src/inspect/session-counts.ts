import type { ErrorEvent, Event, ResponseEvent } from '../core/event.js';

/** The number of events of a kind in a session, and the first one. */
export interface EventTally<E> {
  count: number;
  first: E | undefined;
}

/** Counts the events that the summary of a session shows. */
export class SessionCounts {
  readonly nacks: EventTally<ResponseEvent> = { count: 0, first: undefined };
  /** Errors other than NACKs. */
  readonly errors: EventTally<ErrorEvent> = { count: 0, first: undefined };

  observe(event: Event): void {
    if (event.kind === 'response' && event.refused !== undefined) add(this.nacks, event);
    else if (event.kind === 'error' && event.cause !== 'nack') add(this.errors, event);
  }
}

function add<E>(counted: EventTally<E>, event: E): void {
  counted.count++;
  counted.first ??= event;
}

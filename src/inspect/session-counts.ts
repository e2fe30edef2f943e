import type { ErrorEvent, Event, ResponseEvent } from '../core/event.js';

/** How often something happened in a session, and the first time. */
export interface EventTally<E> {
  count: number;
  first: E | undefined;
}

/** Counts what a summary of a session names. */
export class SessionCounts {
  readonly nacks: EventTally<ResponseEvent> = { count: 0, first: undefined };
  /** Without those of a NACK. */
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

import type { JSX } from 'preact';

/** A placeholder. */
export function EventsPane(): JSX.Element {
  return <p class="empty">Events</p>;
}

import type { JSX } from 'preact';

/** A placeholder. */
export function ResourcePane(): JSX.Element {
  return <p class="empty">Resource</p>;
}

import type { JSX } from 'preact';

/** A placeholder. */
export function ChecksPane(): JSX.Element {
  return <p class="empty">Checks</p>;
}

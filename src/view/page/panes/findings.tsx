import type { JSX } from 'preact';

/** A placeholder. */
export function FindingsPane(): JSX.Element {
  return <p class="empty">Findings</p>;
}

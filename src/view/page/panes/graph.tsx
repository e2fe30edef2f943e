import type { JSX } from 'preact';

/** A placeholder. */
export function GraphPane(): JSX.Element {
  return <p class="empty">Graph</p>;
}

import type { JSX } from 'preact';

/** A placeholder. */
export function ContentsPane(): JSX.Element {
  return <p class="empty">Contents</p>;
}

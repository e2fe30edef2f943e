import type { JSX } from 'preact';
import type { NodeState } from '../graph/graph.js';

/** What a state icon shows; the words are for screen readers. */
const LABELS: Record<NodeState, string> = {
  fails: 'fails',
  partly: 'partly works',
  waiting: 'waiting',
  'kept-old': 'old version kept',
  ok: 'OK',
  unused: 'not used',
  absent: 'not at this time',
};

/** A state as a shape in its colour: the shape alone is enough to tell states apart. */
export function StateIcon({ state }: { state: NodeState }): JSX.Element {
  return (
    <svg class={`state-icon is-${state}`} viewBox="0 0 14 14" role="img" aria-label={LABELS[state]}>
      {SHAPES[state]}
    </svg>
  );
}

const RING = <circle cx="7" cy="7" r="5.6" fill="none" stroke="currentColor" stroke-width="1.4" />;
const DASHED = (
  <circle cx="7" cy="7" r="5.4" fill="none" stroke="currentColor" stroke-width="1.3" stroke-dasharray="2.4 1.9" />
);
const SHAPES: Record<NodeState, JSX.Element> = {
  ok: (
    <>
      {RING}
      <path d="M4.5 7.2l1.8 1.8 3.3-3.7" fill="none" stroke="currentColor" stroke-width="1.4" />
    </>
  ),
  partly: (
    <>
      {RING}
      <path d="M7 1.4a5.6 5.6 0 0 0 0 11.2z" fill="currentColor" />
    </>
  ),
  fails: (
    <>
      <path d="M4.4.7h5.2l3.7 3.7v5.2l-3.7 3.7H4.4L.7 9.6V4.4z" fill="currentColor" />
      <path d="M4.8 4.8l4.4 4.4m0-4.4L4.8 9.2" class="state-icon-mark" fill="none" stroke-width="1.5" />
    </>
  ),
  'kept-old': (
    <>
      <path d="M7 .4L13.6 7 7 13.6.4 7z" fill="currentColor" />
      <path d="M7 3.9v3.6m0 1.5v1.2" class="state-icon-mark" fill="none" stroke-width="1.5" />
    </>
  ),
  waiting: DASHED,
  unused: <path d="M3.5 7h7" fill="none" stroke="currentColor" stroke-width="1.4" />,
  absent: DASHED,
};

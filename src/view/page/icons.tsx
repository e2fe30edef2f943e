import type { JSX } from 'preact';
import type { VerdictWord } from '../../inspect/verdict/verdict.js';

/** Each meaning has its own shape, so that none depends on colour alone. */
export type IconKind = 'ok' | 'partly' | 'error' | 'nack' | 'waiting' | 'unknown' | 'tear' | 'fallback' | 'none';

const SHAPES: Record<IconKind, () => JSX.Element> = {
  ok: () => (
    <>
      <circle cx="8" cy="8" r="6" class="line" />
      <path d="M5.2 8.2 7.2 10.2 10.9 5.9" class="line" />
    </>
  ),
  partly: () => (
    <>
      <circle cx="8" cy="8" r="6" class="line" />
      <path d="M8 2a6 6 0 0 1 0 12z" class="fill" />
    </>
  ),
  error: () => (
    <>
      <path d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z" class="fill" />
      <path d="M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6" class="cut" />
    </>
  ),
  nack: () => (
    <>
      <path d="M8 1l7 7-7 7-7-7z" class="fill" />
      <path d="M8 4.6v4M8 10.4v1" class="cut" />
    </>
  ),
  waiting: () => <circle cx="8" cy="8" r="6" class="line dashed" />,
  unknown: () => (
    <>
      <circle cx="8" cy="8" r="6" class="line" />
      <path d="M6.3 6.4c.2-2.3 3.6-2 3.4 0-.1 1.1-1.6 1.2-1.7 2.5M8 11v.6" class="line" />
    </>
  ),
  tear: () => <path d="M2.5 13V4h4v3.5l3 2V4h4v9" class="line" />,
  fallback: () => <path d="M2 5h9M8.4 2.4 11 5 8.4 7.6M14 11H5M7.6 8.4 5 11l2.6 2.6" class="line" />,
  none: () => <circle cx="8" cy="8" r="4" class="line" />,
};

export function Icon({ kind, label }: { kind: IconKind; label?: string }): JSX.Element {
  return (
    <svg
      class={`icon i-${kind}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      role="img"
      aria-hidden={label === undefined}
      aria-label={label ?? ''}
    >
      {SHAPES[kind]()}
    </svg>
  );
}

const OF_VERDICT: Record<VerdictWord, IconKind> = {
  ok: 'ok',
  partly: 'partly',
  fails: 'error',
  waiting: 'waiting',
  unknown: 'unknown',
};

export function verdictIcon(verdict: VerdictWord): IconKind {
  return OF_VERDICT[verdict];
}

/** The icon of a cache status. `hasVersion`: the client uses a version in spite of the error. */
export function statusIcon(status: string | undefined, hasVersion: boolean): IconKind {
  if (status === undefined) return 'none';
  if (status === 'ACKED' || status === 'SYNCED') return 'ok';
  if (status === 'REQUESTED' || status === 'NOT_SENT') return 'waiting';
  if (status === 'UNKNOWN') return 'unknown';
  return hasVersion ? 'nack' : 'error';
}

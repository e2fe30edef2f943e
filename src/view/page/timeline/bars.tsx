import type { JSX } from 'preact';
import type { Bars } from '../../timeline/bars.js';
import type { Mark, Span } from '../../timeline/track.js';
import { Icon, type IconKind } from '../icons.js';
import { shortLine } from '../text.js';
import { hasRoom } from './name-width.js';

type Window = readonly [number, number];

/** The position of a time in the plot, in percent. */
export function position(at: number, [from, to]: Window): number {
  return (100 * (at - from)) / (to - from);
}

/** Left edge and width of a stretch of time in percent, cut to the window; undefined if it is outside. */
export function stretch(from: number, to: number, window: Window): { left: number; width: number } | undefined {
  if (to < window[0] || from > window[1]) return undefined;
  const left = Math.max(0, position(from, window));
  return { left, width: Math.min(100, position(to, window)) - left };
}

export function styleOf({ left, width }: { left: number; width: number }): { left: string; width: string } {
  return { left: `${left}%`, width: `max(1px, ${width}%)` };
}

/** A bar that starts so close to the previous one would hide it. */
const MIN_DISTANCE = 0.08;

/** The bars and marks of a row that are in the window. */
export function RowBars({ bars, window }: { bars: Bars; window: Window }): JSX.Element {
  return (
    <>
      {shownSpans(bars.spans, window).map(({ span, index, left, width }) => (
        <span
          key={span.from}
          class={`bar s-${span.state} ${index % 2 === 0 ? 'even' : 'odd'}${span.from < window[0] ? ' cut' : ''}`}
          style={styleOf({ left, width })}
          title={shortLine(span.text)}
        >
          {hasRoom(span.text, width) ? shortLine(span.text, 120) : ''}
        </span>
      ))}
      {shownMarks(bars.marks, window).map(({ at, kind, text }) => (
        <span
          key={`${kind} ${at}`}
          class={`mark m-${kind}`}
          style={{ left: `${position(at, window)}%` }}
          title={shortLine(text)}
        >
          {MARK_ICONS[kind] === undefined ? '' : <Icon kind={MARK_ICONS[kind]} />}
        </span>
      ))}
    </>
  );
}

const MARK_ICONS: Partial<Record<Mark['kind'], IconKind>> = { nack: 'nack', error: 'error', fallback: 'fallback' };

interface ShownSpan {
  span: Span;
  index: number;
  left: number;
  width: number;
}

function shownSpans(spans: readonly Span[], window: Window): ShownSpan[] {
  const shown: ShownSpan[] = [];
  for (const [index, span] of spans.entries()) {
    const place = stretch(span.from, span.to, window);
    if (place === undefined) continue;
    const last = shown.at(-1);
    if (last !== undefined && place.left - last.left < MIN_DISTANCE && place.width < MIN_DISTANCE) continue;
    shown.push({ span, index, ...place });
  }
  return shown;
}

function shownMarks(marks: readonly Mark[], window: Window): Mark[] {
  const shown: Mark[] = [];
  for (const mark of marks) {
    if (mark.at < window[0] || mark.at > window[1]) continue;
    const last = shown.findLast(({ kind }) => kind === mark.kind);
    if (last === undefined || position(mark.at, window) - position(last.at, window) >= 0.5) shown.push(mark);
  }
  return shown;
}

import { computed } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { formatMillis } from '../../../base/duration.js';
import { density, moved } from '../../timeline/scale.js';
import { extent, now, shownWindow } from '../store.js';
import { position, stretch, styleOf } from './bars.js';
import { band, summaries, visibleWindow } from './model.js';
import { drag, timeAt } from './pointer.js';

const PARTS = 160;

const updates = computed(() => {
  const { from, end } = extent.value;
  return density(
    summaries.value.flatMap((one) => [...one.updates, ...(one.lastError === undefined ? [] : [one.lastError])]),
    from,
    end,
    PARTS,
  );
});

/** The whole session, with the window that the timeline shows. */
export function Overview(): JSX.Element {
  const plot = useRef<HTMLDivElement>(null);
  const { from, end } = extent.value;
  const whole = [from, Math.max(end, from + 1)] as const;
  const shown = visibleWindow.value;
  const place = stretch(shown[0], shown[1], whole) ?? { left: 0, width: 100 };
  const most = Math.max(1, ...updates.value);

  const down = (event: PointerEvent, edge?: 0 | 1): void => {
    if (plot.current === null || event.button !== 0) return;
    event.stopPropagation();
    const element = plot.current;
    const before = visibleWindow.peek();
    const began = timeAt(event.clientX, element, whole);
    if (edge === undefined && (began < before[0] || began > before[1]))
      shownWindow.value = moved(before, began - (before[0] + before[1]) / 2, whole);
    const base = visibleWindow.peek();
    drag(event, (x) => {
      const at = timeAt(x, element, whole);
      if (edge === undefined) {
        if (shownWindow.peek() !== undefined) shownWindow.value = moved(base, at - began, whole);
      } else {
        const [a, b] = edge === 0 ? [Math.min(at, base[1] - 10), base[1]] : [base[0], Math.max(at, base[0] + 10)];
        shownWindow.value = a <= whole[0] && b >= whole[1] ? undefined : [a, b];
      }
    });
  };

  return (
    <div class="line overview">
      <div class="row-name">
        <span class="label">Session</span>
        <span class="value">{formatMillis(end - from)}</span>
      </div>
      <div class="row-plot" ref={plot} onPointerDown={(event) => down(event)}>
        {updates.value.map((count, i) =>
          count === 0 ? null : (
            <span
              key={i}
              class="tick"
              style={{ left: `${(100 * i) / PARTS}%`, height: `${4 + (8 * count) / most}px` }}
            />
          ),
        )}
        {band.value.map((piece) => {
          const at = stretch(piece.from, piece.to, whole);
          return at && <span key={piece.from} class={`outcome v-${piece.verdict}`} style={styleOf(at)} />;
        })}
        <span class="window" style={styleOf(place)}>
          <span class="edge left" onPointerDown={(event) => down(event, 0)} />
          <span class="edge right" onPointerDown={(event) => down(event, 1)} />
        </span>
        <span class="here" style={{ left: `${position(now.value, whole)}%` }} />
      </div>
    </div>
  );
}

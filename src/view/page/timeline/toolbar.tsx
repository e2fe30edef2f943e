import type { JSX } from 'preact';
import { clockTime } from '../../../base/clock-time.js';
import { formatMillis } from '../../../base/duration.js';
import { Icon } from '../icons.js';
import { lastEvent, stepEvent, stepProblem } from '../problems.js';
import { extent, live, now, selectTime, shownWindow, time } from '../store.js';
import { shortLine } from '../text.js';
import { visibleWindow } from './model.js';

/** The selected time, and the buttons that change it. */
export function Toolbar(): JSX.Element {
  const { start } = extent.value;
  const line = lastEvent.value;
  const endText = live.value === 'no' ? 'end' : 'follow';
  return (
    <div class="toolbar">
      <span class="clock">{clockTime(now.value)}</span>
      <span class="offset">+{((now.value - start) / 1000).toFixed(3)} s</span>
      <span class="buttons">
        <button type="button" aria-label="Previous event" title="Previous event (←)" onClick={() => stepEvent(-1)}>
          ◂
        </button>
        <button type="button" aria-label="Next event" title="Next event (→)" onClick={() => stepEvent(1)}>
          ▸
        </button>
        <button type="button" title="Next problem (n)" onClick={() => stepProblem(1)}>
          next problem
        </button>
        <button type="button" title="End" aria-pressed={time.value === undefined} onClick={() => selectTime(undefined)}>
          {live.value !== 'no' && time.value === undefined ? 'following' : endText}
        </button>
      </span>
      <span class="last" aria-live="polite">
        {line !== undefined && (
          <>
            <span class="quiet">{formatMillis(Math.max(0, now.value - line.at))} after </span>
            {shortLine(line.text, 220)}
          </>
        )}
      </span>
      <Legend />
      <span class="shown">{windowText(visibleWindow.value, start)}</span>
      <button
        type="button"
        title="Show the whole session (0)"
        disabled={shownWindow.value === undefined}
        onClick={() => {
          shownWindow.value = undefined;
        }}
      >
        fit
      </button>
    </div>
  );
}

function windowText([from, to]: readonly [number, number], start: number): string {
  const seconds = (at: number): string => ((at - start) / 1000).toFixed(to - from < 1000 ? 3 : 1);
  return `${seconds(from)}–${seconds(to)} s`;
}

function Legend(): JSX.Element {
  return (
    <span class="legend">
      <span>
        <span class="sample versions" />
        versions
      </span>
      <span>
        <span class="sample s-pending" />
        requested
      </span>
      <span>
        <Icon kind="nack" />
        NACK
      </span>
      <span>
        <Icon kind="error" />
        error
      </span>
      <span>
        <Icon kind="tear" />
        tear
      </span>
    </span>
  );
}

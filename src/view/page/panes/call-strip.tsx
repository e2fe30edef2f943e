import type { JSX } from 'preact';
import { clockTime } from '../../../base/clock-time.js';
import { type CallPeriod, periodText } from '../../call-over-time.js';
import { callPeriods } from '../call-periods.js';
import { extent, hasHistory, now, selectTime } from '../store.js';
import { shortLine, shortName } from '../text.js';

/** The outcome of the call over the session, and the last change before the selected time. */
export function CallStrip(): JSX.Element | null {
  const { periods, isCut, isComplete } = callPeriods.value;
  if (!hasHistory.value || periods.length === 0) return null;
  const { from, end } = extent.value;
  const length = Math.max(1, end - from);
  const x = (at: number): number => (100 * (Math.min(end, Math.max(from, at)) - from)) / length;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the parts are no fields of a form */}
      <div class="call-strip" role="group" aria-label="This RPC over time">
        {periods.map((period) => (
          <button
            type="button"
            key={period.from}
            class={`call-piece is-${period.state}`}
            style={{ left: `${x(period.from)}%`, width: `${x(period.to) - x(period.from)}%` }}
            title={`${clockTime(period.from)}: ${periodText(period)}${period.message === '' ? '' : `\n${shortLine(period.message, 300)}`}`}
            aria-label={`${clockTime(period.from)}: ${periodText(period)}`}
            onClick={() => selectTime(period.from)}
          />
        ))}
        <span class="call-here" style={{ left: `${x(now.value)}%` }} />
      </div>
      {isCut && <p class="note">Earlier changes of the configuration are not evaluated.</p>}
      {isComplete && <LastChange periods={periods} />}
    </>
  );
}

function LastChange({ periods }: { periods: readonly CallPeriod[] }): JSX.Element | null {
  const index = periods.findLastIndex(({ from }) => from <= now.value);
  const [before, current] = [periods[index - 1], periods[index]];
  if (before === undefined || current === undefined) return null;
  const place = [
    before.route === null || before.route < 0 ? '' : `route ${before.route + 1}`,
    before.clusters.length === 0
      ? ''
      : `cluster ${before.clusters
          .slice(0, 3)
          .map((name) => shortName(name, 60))
          .join(', ')}`,
  ].filter((text) => text !== '');
  return (
    <p class="note">
      Until {clockTime(current.from)}: {before.word}
      {place.length === 0 ? '' : `, ${place.join(' → ')}`}.
    </p>
  );
}

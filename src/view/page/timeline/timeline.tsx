import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { clockTime } from '../../../base/clock-time.js';
import type { Tear } from '../../../deps/tears/tear.js';
import { ticks } from '../../timeline/scale.js';
import { stepEvent } from '../problems.js';
import { extent, now, selectTime } from '../store.js';
import { shortLine } from '../text.js';
import { position, stretch, styleOf } from './bars.js';
import { band, tears, tearText, visibleWindow, whatIfBand } from './model.js';
import { hasRoom } from './name-width.js';
import { Overview } from './overview.js';
import { onPlotDown, onWheel, zoomTo } from './pointer.js';
import { ResourceRows } from './resource-rows.js';
import { Toolbar } from './toolbar.js';

/** The session over time: what RPCs used, config tears, resources and servers. */
export function Timeline(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const selection = useSignal<readonly [number, number] | undefined>(undefined);
  useEffect(() => {
    // Preact registers wheel listeners as passive in some browsers.
    const wheel = (event: WheelEvent): void => {
      if (plot.current !== null) onWheel(event, plot.current);
    };
    box.current?.addEventListener('wheel', wheel, { passive: false });
    return () => box.current?.removeEventListener('wheel', wheel);
  }, []);
  const down = (event: PointerEvent): void => {
    const target = event.target as Element;
    if (plot.current === null || target.closest('.row-plot') === null || target.closest('button') !== null) return;
    onPlotDown(event, plot.current, (range) => {
      selection.value = range;
    });
  };
  const window = visibleWindow.value;
  const marked = selection.value && stretch(selection.value[0], selection.value[1], window);
  return (
    <section class="timeline" aria-label="Timeline">
      <Toolbar />
      <Overview />
      <div class="plots" ref={box} onPointerDown={down}>
        <Axis />
        <Band />
        <WhatIfBand />
        <Tears />
        <ResourceRows />
        <div class="overlay" ref={plot}>
          {tears.value.map((tear) => {
            const place = stretch(tear.begin, tear.end ?? extent.value.end, window);
            return (
              place &&
              tear.end !== undefined && (
                <span key={`${tear.kind} ${tear.begin}`} class="tear-shade" style={styleOf(place)} />
              )
            );
          })}
          {marked && <span class="marked" style={styleOf(marked)} />}
          <Playhead />
        </div>
      </div>
    </section>
  );
}

function Playhead(): JSX.Element | null {
  const x = position(now.value, visibleWindow.value);
  return x < 0 || x > 100 ? null : <span class="playhead" style={{ left: `${x}%` }} />;
}

/** There is no tick in this share of the axis, so that its text does not reach the names. */
const EDGE = 0.045;

/** The axis is the slider of the selected time. */
function Axis(): JSX.Element {
  const window = visibleWindow.value;
  const { start, from, end } = extent.value;
  const at = now.value;
  const x = position(at, window);
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (step !== undefined) stepEvent(step as 1 | -1);
    else if (event.key === 'Home') selectTime(from);
    else if (event.key === 'End') selectTime(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="line axis">
      <div class="row-name">
        <span class="label quiet">Worst first</span>
        <span class="value">version at {((at - start) / 1000).toFixed(3)}</span>
      </div>
      <div
        class="row-plot"
        role="slider"
        tabIndex={0}
        aria-label="Selected time"
        aria-valuemin={0}
        aria-valuemax={(end - start) / 1000}
        aria-valuenow={(at - start) / 1000}
        aria-valuetext={clockTime(at)}
        onKeyDown={key}
      >
        {ticks(window[0] + EDGE * (window[1] - window[0]), window[1], 10).map((tick) => {
          const left = position(tick.at, window);
          return (
            <span key={tick.at} class="time" style={{ left: `${left}%` }}>
              {left > 97 ? '' : tick.text}
            </span>
          );
        })}
        {x >= 0 && x <= 100 && (
          <span class="flag" style={{ left: `clamp(28px, ${x}%, calc(100% - 28px))` }}>
            {clockTime(at).slice(6)}
          </span>
        )}
      </div>
    </div>
  );
}

function Band(): JSX.Element {
  const window = visibleWindow.value;
  const current = band.value.findLast(({ from }) => from <= now.value);
  const name = current === undefined ? '' : (/^configuration(?: \d+)?/.exec(current.text)?.[0] ?? '');
  return (
    <div class="line band">
      <div class="row-name">
        <strong class="label">What RPCs used</strong>
        <span class="value">{name}</span>
      </div>
      <div class="row-plot">
        {band.value.map((piece) => {
          const place = stretch(piece.from, piece.to, window);
          if (place === undefined) return null;
          const held = piece.isHeldBack ? ' held' : '';
          return (
            <span
              key={piece.from}
              class={`piece v-${piece.verdict}${held}`}
              style={styleOf(place)}
              title={shortLine(heldText(piece))}
            >
              {piece.isHeldBack || !hasRoom(piece.label, place.width) ? '' : shortLine(piece.label, 160)}
            </span>
          );
        })}
      </div>
    </div>
  );
}

function heldText({ text, isHeldBack }: { text: string; isHeldBack: boolean }): string {
  return isHeldBack ? `${text}; a newer configuration is incomplete and held back` : text;
}

/** Where the what-if run differs: equal parts are a thin line. */
function WhatIfBand(): JSX.Element | null {
  const differences = whatIfBand.value;
  const window = visibleWindow.value;
  if (differences === undefined) return null;
  const isSame = differences.every(({ changed }) => changed === undefined);
  return (
    <div class="line what-if">
      <div class="row-name">
        <span class="label">What if</span>
        <span class="value">{isSame ? 'same' : 'differs'}</span>
      </div>
      <div class="row-plot">
        {differences.map(({ from, to, changed }) => {
          const place = stretch(from, to, window);
          if (place === undefined) return null;
          return changed === undefined ? (
            <span key={from} class="same" style={styleOf(place)}>
              {place.width < 12 ? '' : <small>same as recorded</small>}
            </span>
          ) : (
            <span
              key={from}
              class={`piece v-${changed.verdict} changed`}
              style={styleOf(place)}
              title={shortLine(changed.text)}
            >
              {hasRoom(changed.text, place.width) ? `≠ ${shortLine(changed.text, 160)}` : ''}
            </span>
          );
        })}
      </div>
    </div>
  );
}

function Tears(): JSX.Element | null {
  const window = visibleWindow.value;
  const { end } = extent.value;
  const all = [...tears.value].sort((a, b) => a.begin - b.begin);
  if (all.length === 0) return null;
  const shown = all.flatMap((tear) => {
    const place = stretch(tear.begin, tear.end ?? end, window);
    return place === undefined ? [] : [{ tear, ...place }];
  });
  return (
    <div class="line tears">
      <div class="row-name">
        <span class="label">Config tears</span>
        <span class="value">{all.length}</span>
      </div>
      <div class="row-plot">
        {shown.map(({ tear, left, width }, i) => {
          const next = shown[i + 1]?.left ?? 100;
          return (
            <TearBracket
              key={`${tear.kind} ${tear.begin} ${i}`}
              tear={tear}
              left={left}
              width={width}
              room={next - left}
            />
          );
        })}
      </div>
    </div>
  );
}

function TearBracket({
  tear,
  left,
  width,
  room,
}: {
  tear: Tear;
  left: number;
  width: number;
  room: number;
}): JSX.Element {
  const { end } = extent.value;
  const text = tearText(tear, end);
  return (
    <>
      <button
        type="button"
        class={`bracket${tear.end === undefined ? ' open' : ''}`}
        style={styleOf({ left, width })}
        title={shortLine(text)}
        aria-label={`Zoom to the config tear: ${shortLine(text)}`}
        onClick={() => {
          zoomTo(tear.begin, tear.end ?? end);
          selectTime(tear.begin);
        }}
      />
      {room > 6 && (
        <span
          class="tear-text"
          style={{
            left: `calc(${left}% + ${tear.end === undefined ? '0%' : `${width}%`} + 6px)`,
            maxWidth: `calc(${room - (tear.end === undefined ? 0 : width)}% - 10px)`,
          }}
        >
          {shortLine(text, 160)}
        </span>
      )}
    </>
  );
}

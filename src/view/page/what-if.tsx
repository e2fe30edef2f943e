import { computed, effect, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { formatMillis, parseMillis } from '../../base/duration.js';
import { SERVER_FEATURES } from '../../bootstrap/bootstrap.js';
import { PRESETS } from '../../bootstrap/presets.js';
import type { Preset } from '../../bootstrap/switches.js';
import { engineSetup, type WhatIfChanges } from '../../engine/recording/engine-setup.js';
import { feedRecording } from '../../inspect/feed-recording.js';
import { recordHistory } from '../../inspect/history/recorded-history.js';
import type { PageWhatIf } from '../page-data.js';
import { endDifferences, firstDivergence } from '../what-if.js';
import { sentenceOf } from './load.js';
import { data, history, selectTime, session, targetRef, whatIf, whatIfRun } from './store.js';
import { shortLine } from './text.js';

/** Why there is no what-if run. */
const problem = signal<string | undefined>(undefined);

export const changeCount = computed(() => {
  const { as, features, resourceTimerMs, tearGraceMs } = whatIf.value;
  const others = [as, resourceTimerMs, tearGraceMs].filter((change) => change !== undefined);
  return others.length + Object.keys(features ?? {}).length;
});

/** Runs the recording again whenever the changes are other ones. The last run wins. */
export function startWhatIf(): void {
  let running = 0;
  effect(() => {
    const [changes, recording] = [whatIf.value, session.value?.recording];
    const run = ++running;
    whatIfRun.value = undefined;
    problem.value = undefined;
    if (changeCount.value === 0 || recording === undefined) return;
    const { header, file } = recording;
    const { history: changed, replaying } = recordHistory(header, changesOf(changes), new Set(data.peek()?.suppress));
    whatIfRun.value = { history: changed, isComplete: false };
    const input: typeof replaying.input = (one, at) => {
      if (run === running) replaying.input(one, at);
    };
    feedRecording({ file, header, until: undefined }, { input, end: (at) => replaying.end(at) }).then(
      () => {
        if (run === running) whatIfRun.value = { history: changed, isComplete: true };
      },
      (error: unknown) => {
        if (run === running) problem.value = sentenceOf(error);
      },
    );
  });
}

function changesOf({ as, features, resourceTimerMs, tearGraceMs }: PageWhatIf): WhatIfChanges {
  const known = SERVER_FEATURES.flatMap((name) => {
    const isOn = features?.[name];
    return isOn === undefined ? [] : [[name, isOn] as const];
  });
  return { as, resourceTimerMs, tearGraceMs, features: known.length === 0 ? undefined : new Map(known) };
}

/** The settings of the recorded client. */
const recorded = computed(() => {
  const header = session.value?.recording?.header;
  const setup = header && engineSetup(header);
  if (header === undefined || setup === undefined || 'failure' in setup) return undefined;
  const all = [
    setup.bootstrap.servers,
    ...[...setup.bootstrap.authorities.values()].map(({ servers }) => servers),
  ].flat();
  return {
    as: setup.preset,
    tearGraceMs: setup.options.tearGraceMs,
    hasFeature: (name: (typeof SERVER_FEATURES)[number]) => all.every(({ features }) => features.has(name)),
  };
});

function change(changes: { [K in keyof PageWhatIf]?: PageWhatIf[K] | undefined }): void {
  const next = { ...whatIf.peek(), ...changes };
  whatIf.value = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as PageWhatIf;
}

/** Switches for a second run of the recording with other settings. */
export function WhatIfPane(): JSX.Element {
  const before = recorded.value;
  if (before === undefined)
    return <p class="empty">A what-if run needs the recording, which this page does not contain.</p>;
  const { as, features = {}, resourceTimerMs, tearGraceMs } = whatIf.value;
  return (
    <div class="what-if-pane">
      <p class="quiet">
        Runs the recording again for a client with other settings. The timeline shows where RPCs differ.
      </p>
      <fieldset>
        <legend>Server features, on all servers</legend>
        {SERVER_FEATURES.map((name) => {
          const wasOn = before.hasFeature(name);
          const isOn = features[name] ?? wasOn;
          return (
            <label key={name} class={isOn === wasOn ? '' : 'changed'}>
              <input
                type="checkbox"
                role="switch"
                checked={isOn}
                aria-checked={isOn}
                onChange={(event) => {
                  const { [name]: _, ...others } = features;
                  const on = event.currentTarget.checked;
                  const next = on === wasOn ? others : { ...others, [name]: on };
                  change({ features: Object.keys(next).length === 0 ? undefined : next });
                }}
              />
              <span class="mono">{name}</span>
            </label>
          );
        })}
      </fieldset>
      <fieldset>
        <legend>Client</legend>
        <label class={as === undefined ? '' : 'changed'}>
          behave as
          <select
            value={as ?? before.as}
            onChange={(event) => {
              const chosen = event.currentTarget.value as Preset;
              change({ as: chosen === before.as ? undefined : chosen });
            }}
          >
            {Object.entries(PRESETS).map(([name, { description }]) => (
              <option key={name} value={name}>
                {name}: {description}
              </option>
            ))}
          </select>
        </label>
        <Time
          label="resource timer"
          placeholder="as recorded"
          value={resourceTimerMs}
          onChange={(ms) => change({ resourceTimerMs: ms })}
        />
        <Time
          label="tear grace period"
          placeholder={before.tearGraceMs === undefined ? 'as recorded' : formatMillis(before.tearGraceMs)}
          value={tearGraceMs}
          onChange={(ms) => change({ tearGraceMs: ms })}
        />
      </fieldset>
      <button
        type="button"
        disabled={changeCount.value === 0}
        onClick={() => {
          whatIf.value = {};
        }}
      >
        As recorded
      </button>
      <Differences />
    </div>
  );
}

function Time({
  label,
  placeholder,
  value,
  onChange,
}: {
  label: string;
  placeholder: string;
  value: number | undefined;
  onChange(ms: number | undefined): void;
}): JSX.Element {
  return (
    <label class={value === undefined ? '' : 'changed'}>
      {label}
      <input
        type="text"
        size={10}
        placeholder={placeholder}
        title="A time such as 500ms, 15s or 2m"
        value={value === undefined ? '' : `${value / 1000}s`}
        onChange={(event) => {
          const text = event.currentTarget.value.trim();
          const ms = text === '' ? undefined : parseMillis(text);
          event.currentTarget.setCustomValidity(
            text !== '' && ms === undefined ? 'Write a time such as 500ms, 15s or 2m.' : '',
          );
          if (!event.currentTarget.reportValidity()) return;
          onChange(ms);
        }}
      />
    </label>
  );
}

const differences = computed(() => {
  const [run, before, ref] = [whatIfRun.value, history.value, targetRef.value];
  if (run === undefined || !run.isComplete || before === undefined || ref === undefined) return undefined;
  const end = Number.POSITIVE_INFINITY;
  const ofScope = (past: typeof before) => past.at(end).snapshot.find(({ scope }) => scope === ref.scope);
  return {
    first: firstDivergence(
      ref.scope,
      before.client.start,
      before.events.map(({ event }) => event),
      run.history.events.map(({ event }) => event),
    ),
    outcomes: endDifferences(ofScope(before), ofScope(run.history)),
  };
});

function Differences(): JSX.Element | null {
  if (problem.value !== undefined) return <p class="bad">{shortLine(problem.value)}</p>;
  if (changeCount.value === 0) return null;
  const found = differences.value;
  if (found === undefined) return <p class="quiet">Running…</p>;
  const { first, outcomes } = found;
  if (first === null && outcomes.length === 0) return <p>Both runs are equal for this target.</p>;
  const start = history.value?.client.start ?? 0;
  return (
    <section class="differences">
      {first !== null && (
        <>
          <h3>First difference</h3>
          <button type="button" class="link" onClick={() => selectTime(start + first.afterMs)}>
            after {formatMillis(first.afterMs)}
          </button>
          <dl>
            <dt>recorded</dt>
            <dd>{first.recorded === null ? '–' : shortLine(first.recorded.text)}</dd>
            <dt>what if</dt>
            <dd>{first.changed === null ? '–' : shortLine(first.changed.text)}</dd>
          </dl>
        </>
      )}
      <h3>At the end</h3>
      {outcomes.length === 0 ? (
        <p>Equal.</p>
      ) : (
        outcomes.slice(0, MAX_SHOWN).map(({ what, recorded: one, changed: other }) => (
          <dl key={what}>
            <dt class="what">{shortLine(what, 120)}</dt>
            <dt>recorded</dt>
            <dd>{shortLine(one, 200)}</dd>
            <dt>what if</dt>
            <dd>{shortLine(other, 200)}</dd>
          </dl>
        ))
      )}
      {outcomes.length > MAX_SHOWN && <p class="quiet">{outcomes.length - MAX_SHOWN} more differences</p>}
    </section>
  );
}

const MAX_SHOWN = 50;

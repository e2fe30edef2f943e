import { computed } from '@preact/signals';
import type { JSX } from 'preact';
import { countText } from '../../base/count-text.js';
import { byVerdict, type VerdictWord } from '../../inspect/verdict/verdict.js';
import type { PastVerdict } from '../../inspect/verdict-history.js';
import { verdictHead } from '../verdict-text.js';
import { countStates, type StateCounts } from '../worst-first.js';
import { Icon, type IconKind, verdictIcon } from './icons.js';
import { onListKey } from './list-keys.js';
import { type ProblemKind, problems, stepProblem } from './problems.js';
import {
  clientIndex,
  endResult,
  now,
  reportChannel,
  result,
  resultAt,
  revision,
  selectTargetOf,
  sessions,
  targetRef,
  time,
} from './store.js';
import { shortLine, shortName } from './text.js';

interface VerdictRow {
  client: number;
  clientName: string | undefined;
  scope: string;
  target: string;
  verdict: VerdictWord;
  text: string;
  word: string;
  start: number;
  end: number;
  past: readonly PastVerdict[];
}

/** The verdicts of all targets of all clients at the selected time, worst first. */
const rows = computed<readonly VerdictRow[]>(() => {
  revision.value;
  const shown = clientIndex.value;
  return sessions.value
    .flatMap((session, client) => {
      // Other clients were recorded at other times, so their verdict is that at their end.
      const at = client === shown ? result.value : resultAt(session, undefined);
      const past = session.history?.verdictChanges() ?? [];
      return (at?.verdicts ?? []).map(({ scope, target, verdict, cause }): VerdictRow => {
        const counts: StateCounts = countStates(at?.snapshot.find((one) => one.scope === scope)?.entries ?? []);
        const { word, tail } = verdictHead({ target, verdict, cause }, counts);
        return {
          ...{ client, scope, target, verdict, word },
          clientName: sessions.value.length > 1 ? session.name : undefined,
          text: tail.replace(/^,?\s+/, ''),
          start: session.history?.from ?? 0,
          end: session.history?.end ?? 0,
          past: past.filter((one) => one.scope === scope && one.target === target),
        };
      });
    })
    .sort(byVerdict);
});

export function Verdicts(): JSX.Element {
  const ref = targetRef.value;
  const all = rows.value;
  const isSelected = (row: VerdictRow): boolean =>
    row.client === clientIndex.value && row.scope === ref?.scope && row.target === ref.target;
  const selected = all.findIndex(isSelected);
  const select = (index: number): void => {
    const row = all[index];
    if (row !== undefined) selectTargetOf(row.client, { scope: row.scope, target: row.target });
  };
  if (all.length === 0) return <p class="empty">There is no target at this time.</p>;
  return (
    <section class="verdicts" aria-label="Verdict of each target">
      <div
        role="listbox"
        aria-label="Targets"
        tabIndex={0}
        aria-activedescendant={`verdict-${selected}`}
        onKeyDown={onListKey(all.length, selected, select)}
      >
        {all.map((row, i) => (
          <Row
            key={`${row.client} ${row.scope} ${row.target}`}
            row={row}
            index={i}
            isSelected={i === selected}
            onSelect={() => select(i)}
          />
        ))}
      </div>
    </section>
  );
}

function Row({
  row,
  index,
  isSelected,
  onSelect,
}: {
  row: VerdictRow;
  index: number;
  isSelected: boolean;
  onSelect(): void;
}): JSX.Element {
  const { verdict, word, target, text, clientName } = row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys
    <div
      role="option"
      id={`verdict-${index}`}
      aria-selected={isSelected}
      tabIndex={-1}
      class={`verdict v-${verdict}`}
      onClick={onSelect}
    >
      <span class="badge">
        <Icon kind={verdictIcon(verdict)} />
        {word}
      </span>
      <span class="target">
        {shortName(target, 44)}
        {clientName !== undefined && <small>{shortName(clientName, 40)}</small>}
      </span>
      <span class="cause">
        {shortLine(text, 400)}
        {isSelected && <AtTheEnd row={row} />}
      </span>
      <Strip row={row} isSelected={isSelected} />
      {isSelected && <Details />}
    </div>
  );
}

/** Shown if the verdict at the selected time is not the last one. */
function AtTheEnd({ row }: { row: VerdictRow }): JSX.Element | null {
  if (time.value === undefined) return null;
  const end = endResult.value?.verdicts.find(({ scope, target }) => scope === row.scope && target === row.target);
  if (end === undefined || end.verdict === row.verdict) return null;
  return (
    <button
      type="button"
      class={`chip v-${end.verdict}`}
      onClick={(event) => {
        event.stopPropagation();
        time.value = undefined;
      }}
    >
      <Icon kind={verdictIcon(end.verdict)} />
      at the end: {verdictHead(end).word}
    </button>
  );
}

/** What RPCs get and what to do, in the words of the report. */
function Details(): JSX.Element | null {
  const channel = reportChannel.value;
  if (channel === undefined) return null;
  const { rpcs, advice, clients } = channel;
  return (
    <span class="details">
      <span class="verdict-facts">
        <span>RPCs: {shortLine(rpcs, 600)}</span>
        {advice !== null && <strong>→ {shortLine(advice, 600)}</strong>}
        {clients !== null && <span>{shortLine(clients, 600)}</span>}
      </span>
      <Chips />
    </span>
  );
}

const CHIPS: readonly (readonly [ProblemKind, IconKind, string])[] = [
  ['error', 'error', 'error'],
  ['nack', 'nack', 'NACK'],
  ['tear', 'tear', 'config tear'],
  ['fallback', 'fallback', 'fallback'],
];

/** Jumps to the problems of the target. */
function Chips(): JSX.Element {
  const scope = targetRef.value?.scope;
  const own = problems.value.filter((one) => one.scope === scope);
  return (
    <span class="chips">
      {CHIPS.map(([kind, icon, noun]) => {
        const count = own.filter((one) => one.kind === kind).length;
        if (count === 0) return null;
        const label = countText(count, noun);
        return (
          <button
            type="button"
            class="chip"
            key={kind}
            title={`Go to the next ${noun}`}
            onClick={(event) => {
              event.stopPropagation();
              stepProblem(1, kind);
            }}
          >
            <Icon kind={icon} />
            {label}
          </button>
        );
      })}
    </span>
  );
}

/** The verdict over time. */
function Strip({ row, isSelected }: { row: VerdictRow; isSelected: boolean }): JSX.Element | null {
  const { past, start, end } = row;
  if (end <= start) return null;
  const x = (at: number): number => (100 * (Math.max(start, at) - start)) / (end - start);
  const text = past
    .map(({ verdict, cause }) => verdictHead({ target: row.target, verdict, cause }).word)
    .join(', then ');
  return (
    <span class="strip" role="img" aria-label={`Verdicts: ${text === '' ? 'WAITING' : text}`}>
      {past.map(({ at, verdict }, i) => (
        <span
          key={`${at} ${verdict}`}
          class={`piece v-${verdict}`}
          style={{ left: `${x(at)}%`, width: `${Math.max(0.5, x(past[i + 1]?.at ?? end) - x(at))}%` }}
        />
      ))}
      {isSelected && <span class="here" style={{ left: `${x(now.value)}%` }} />}
    </span>
  );
}

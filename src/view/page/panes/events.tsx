import { computed, effect, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { clockTime } from '../../../base/clock-time.js';
import { countText, thousands } from '../../../base/count-text.js';
import type { Event } from '../../../core/event.js';
import { EVENT_KINDS, type EventFilter, eventMatcher, lineOf } from '../../event-search.js';
import { slices } from '../slices.js';
import { hasHistory, history, now, result, revision, selectedResource, selectTime, sessions } from '../store.js';
import { shortLine, shortName } from '../text.js';
import { VirtualList } from '../virtual-list.js';

const ROW = 23;

const text = signal('');
const kinds = signal<ReadonlySet<Event['kind']>>(new Set());
const server = signal('');
const isOnlyResource = signal(false);
const onlyProblems = signal(false);
const hidesRepeated = signal(false);

const filter = computed<EventFilter>(() => ({
  text: text.value,
  kinds: kinds.value,
  server: server.value,
  scope: '',
  resource: isOnlyResource.value ? selectedResource.value : undefined,
  onlyProblems: onlyProblems.value,
  hidesRepeated: hidesRepeated.value,
}));

/** The indexes of the events that match, in the log. */
const found = signal<readonly number[]>([]);
/** The number of events that were compared; undefined while nothing is known. */
const compared = signal(0);
let run = 0;

/** Searches again when the filter or the log changes. New events of a live session are appended. */
function followSearch(): () => void {
  let matches = eventMatcher(filter.peek());
  let searched: unknown;
  return effect(() => {
    revision.value;
    sessions.value;
    const [past, wanted] = [history.value, filter.value];
    if (past === undefined) return;
    const own = ++run;
    const isSame = searched === past && wanted === last && past.forgottenEvents === forgotten;
    if (!isSame) {
      matches = eventMatcher(wanted);
      found.value = [];
      compared.value = 0;
    }
    [searched, last, forgotten] = [past, wanted, past.forgottenEvents];
    void search(past.events, matches, compared.peek(), own);
  });
}

let last: EventFilter | undefined;
let forgotten = 0;

async function search(
  events: readonly { event: Event; isRepeated: boolean }[],
  matches: ReturnType<typeof eventMatcher>,
  from: number,
  own: number,
): Promise<void> {
  const slice = slices();
  const added: number[] = [];
  const before = found.peek();
  const end = events.length;
  for (let i = from; i < end; i++) {
    const logged = events[i];
    if (logged !== undefined && matches(logged)) added.push(i);
    if (i % 500 !== 0 || !(await slice())) continue;
    if (own !== run) return;
    found.value = [...before, ...added];
    compared.value = i + 1;
  }
  if (own !== run) return;
  found.value = added.length === 0 ? before : [...before, ...added];
  compared.value = end;
}

/** The event log: a line per event, as `watch` prints it. */
export function EventsPane(): JSX.Element {
  useEffect(followSearch, []);
  if (!hasHistory.value)
    return <p class="empty">CSDS shows the state of a client, not its history: there are no events.</p>;
  const events = history.value?.events ?? [];
  const list = found.value;
  const until = history.value?.eventsUntil(now.value) ?? 0;
  const current = lastBefore(list, until);
  const eventAt = (row: number): Event | undefined => events[list[row] ?? -1]?.event;
  return (
    <>
      <Filters shown={list.length} all={events.length} />
      {list.length === 0 && compared.value >= events.length && <p class="empty">No event matches.</p>}
      <VirtualList
        label="Events; Enter selects the time"
        count={list.length}
        rowHeight={ROW}
        selected={current}
        shown={current}
        keyOf={(row) => list[row] ?? row}
        classOf={(row) => rowClass(eventAt(row), row, current)}
        onActivate={(row) => selectTime(eventAt(row)?.at)}
      >
        {(row) => <EventRow event={eventAt(row)} />}
      </VirtualList>
    </>
  );
}

/** The last row whose event is not after the selected time. */
function lastBefore(list: readonly number[], until: number): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((list[middle] as number) < until) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

function rowClass(event: Event | undefined, row: number, current: number): string {
  if (event === undefined) return '';
  const place = row === current ? ' is-now' : row > current ? ' is-later' : '';
  return `tone-${lineOf(event).tone} kind-${event.kind}${place}`;
}

function EventRow({ event }: { event: Event | undefined }): JSX.Element {
  if (event === undefined) return <span />;
  const line = lineOf(event);
  return (
    <span class="event-row" title={shortLine(line.text, 1500)}>
      <time>{clockTime(event.at)}</time>
      <span class="event-kind">{event.kind}</span>
      <span class="event-text">{shortLine(line.text, 400)}</span>
    </span>
  );
}

function Filters({ shown, all }: { shown: number; all: number }): JSX.Element {
  const servers = [
    ...new Set(
      result.value?.snapshot.flatMap(({ authorities }) =>
        authorities.flatMap((one) => one.servers.map(({ uri }) => uri)),
      ),
    ),
  ];
  const resource = selectedResource.value;
  return (
    <div class="pane-bar">
      <input
        type="search"
        aria-label="Search events"
        placeholder="Search events"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <Kinds />
      {servers.length > 1 && (
        <select
          aria-label="Server"
          value={server.value}
          onChange={(event) => {
            server.value = event.currentTarget.value;
          }}
        >
          <option value="">all servers</option>
          {servers.map((uri) => (
            <option key={uri} value={uri}>
              {shortName(uri, 60)}
            </option>
          ))}
        </select>
      )}
      {resource !== undefined && (
        <Toggle on={isOnlyResource} label={`only ${resource.type} ${shortName(resource.name, 24)}`} />
      )}
      <Toggle on={onlyProblems} label="problems only" />
      <Toggle on={hidesRepeated} label="hide repeated" />
      <span class="pane-count" role="status">
        {shown === all ? countText(all, 'event') : `${thousands(shown)} of ${countText(all, 'event')}`}
      </span>
    </div>
  );
}

function Toggle({ on, label }: { on: { value: boolean }; label: string }): JSX.Element {
  return (
    <button
      type="button"
      class="toggle"
      aria-pressed={on.value}
      onClick={() => {
        on.value = !on.value;
      }}
    >
      {label}
    </button>
  );
}

const isKindsOpen = signal(false);

function Kinds(): JSX.Element {
  const chosen = kinds.value;
  const label = chosen.size === 0 ? 'all kinds' : [...chosen].join(', ');
  return (
    <div class="kinds">
      <button
        type="button"
        aria-expanded={isKindsOpen.value}
        onClick={() => {
          isKindsOpen.value = !isKindsOpen.value;
        }}
      >
        {shortName(label, 30)} ▾
      </button>
      {isKindsOpen.value && (
        <fieldset class="kinds-list">
          <legend class="sr-only">Kinds of events</legend>
          {EVENT_KINDS.map((kind) => (
            <label key={kind}>
              <input type="checkbox" checked={chosen.has(kind)} onChange={() => toggleKind(kind)} />
              {kind}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function toggleKind(kind: Event['kind']): void {
  const next = new Set(kinds.value);
  if (!next.delete(kind)) next.add(kind);
  kinds.value = next;
}

import { computed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { clockTime, timeOfDay } from '../../../base/clock-time.js';
import { countText } from '../../../base/count-text.js';
import { formatMillis } from '../../../base/duration.js';
import type { CacheEntry } from '../../../core/resource-cache.js';
import type { PastEntry } from '../../../inspect/history/session-history.js';
import { resourceDetail } from '../../../inspect/resource-detail.js';
import { typeUrlOf } from '../../../proto/resource-types.js';
import { type ResourceChange, resourceChanges } from '../../resource-versions.js';
import { errorStatus } from '../../status.js';
import { visibleMessage, visibleWhole } from '../../visible-text.js';
import { Icon, statusIcon } from '../icons.js';
import { contentOf, history, now, result, revision, scope, selectedResource, selectTime, tab } from '../store.js';
import { shortLine, shortName } from '../text.js';

/** The selected resource in the cache at the selected time. */
const entry = computed<CacheEntry | undefined>(() => {
  const ref = selectedResource.value;
  if (ref === undefined) return undefined;
  const typeUrl = typeUrlOf(ref.type);
  const own = scope.value?.entry(typeUrl, ref.name);
  return own ?? result.value?.snapshot.flatMap((one) => one.entry(typeUrl, ref.name) ?? [])[0];
});

/** The states of the selected resource over the session. */
export const pastEntries = computed<readonly PastEntry[]>(() => {
  revision.value;
  const ref = selectedResource.value;
  const past = history.value;
  if (ref === undefined) return [];
  if (past === undefined) return entry.value === undefined ? [] : [{ at: now.value, entry: entry.value }];
  const typeUrl = typeUrlOf(ref.type);
  const own = past.versionsOf(scope.value?.scope ?? '', typeUrl, ref.name);
  if (own.length > 0) return own;
  const others = (result.value?.snapshot ?? []).map((one) => past.versionsOf(one.scope, typeUrl, ref.name));
  return others.find((versions) => versions.length > 0) ?? [];
});

const changes = computed(() => resourceChanges(pastEntries.value));

/** Status, error, source and history of the selected resource. */
export function ResourcePane(): JSX.Element {
  const ref = selectedResource.value;
  if (ref === undefined)
    return <p class="empty">Select a resource in the timeline or in the graph to see its status and history.</p>;
  const shown = entry.value;
  return (
    <div class="resource-pane">
      <header>
        <span class="resource-type">{shortName(ref.type, 80)}</span>
        <Name name={ref.name} />
      </header>
      {shown === undefined ? (
        <p class="note">The client is not subscribed to it at this time.</p>
      ) : (
        <Facts shown={shown} />
      )}
      <p>
        <button
          type="button"
          onClick={() => {
            tab.value = 'contents';
          }}
        >
          Show contents
        </button>
      </p>
      {shown?.error !== undefined && <ErrorFacts shown={shown} />}
      {shown?.rejected !== undefined && <Notes shown={shown} bytes={shown.rejected} />}
      <History />
    </div>
  );
}

/** No name is too long for a box that scrolls, up to this many characters. */
const MOST_NAME = 20_000;

/** The full name, in a box that scrolls. */
function Name({ name }: { name: string }): JSX.Element {
  const isCut = name.length > MOST_NAME;
  return (
    <div class="full-name" tabIndex={name.length > 80 ? 0 : undefined}>
      {visibleWhole(isCut ? name.slice(0, MOST_NAME) : name)}
      {isCut && <em> … and {countText(name.length - MOST_NAME, 'more character')}</em>}
    </div>
  );
}

function Facts({ shown }: { shown: CacheEntry }): JSX.Element {
  const { status, version, resource, server, updatedAt, requestedAt, watchers, authority } = shown;
  const isUsed = resource !== undefined;
  return (
    <dl class="fact-list">
      <Fact term="status">
        <Icon kind={statusIcon(status, isUsed)} /> <strong>{status}</strong>
      </Fact>
      <Fact term="in use">{isUsed ? `version ${shortName(version, 80) || '(empty)'}` : 'no version'}</Fact>
      {isUsed && <Fact term="contents">{shortLine(resourceDetail(resource), 300)}</Fact>}
      {server !== undefined && (
        <Fact term="sent by">
          {shortName(server, 80)}
          {updatedAt !== undefined && ` at ${clockTime(updatedAt)}`}
        </Fact>
      )}
      {!Number.isNaN(requestedAt) && (
        <Fact term="requested">{`at ${clockTime(requestedAt)}, ${formatMillis(Math.max(0, now.value - requestedAt))} ago`}</Fact>
      )}
      <Fact term="watchers">{String(watchers.length)}</Fact>
      {authority !== '' && authority !== '#old' && <Fact term="authority">{shortName(authority, 80)}</Fact>}
    </dl>
  );
}

function ErrorFacts({ shown }: { shown: CacheEntry }): JSX.Element | null {
  if (shown.error === undefined) return null;
  const { code, message, version, at, cause, nature, origin, effect, server, final, draft } = errorStatus(shown.error);
  return (
    <section class="resource-error" aria-label="Error">
      <h4>
        <Icon kind={shown.resource === undefined ? 'error' : 'nack'} /> {code ?? 'error'}
        {version !== null && version !== '' && ` in version ${shortName(version, 60)}`}
      </h4>
      <p class="rpc-message">{visibleMessage(message)}</p>
      <dl class="fact-list">
        {at !== null && <Fact term="since">{timeOfDay(at)}</Fact>}
        <Fact term="cause">{`${cause} (${nature} error, origin: ${origin})`}</Fact>
        {server !== '' && <Fact term="server">{shortName(server, 80)}</Fact>}
        <Fact term="effect">{EFFECTS[effect]}</Fact>
        <Fact term="watcher">
          <code>{final}</code> (draft of A88: <code>{draft}</code>)
        </Fact>
      </dl>
    </section>
  );
}

const EFFECTS = {
  kept: 'the cached version stays in use',
  dropped: 'the cached version was dropped',
  'none-cached': 'no version was cached',
};

/** How other implementations treat the rejected version. */
function Notes({ shown, bytes }: { shown: CacheEntry; bytes: Uint8Array }): JSX.Element | null {
  const notes = contentOf(shown.typeUrl, bytes)?.notes ?? [];
  if (notes.length === 0) return null;
  return (
    <section class="resource-notes" aria-label="Other implementations">
      <h4>Other implementations</h4>
      <ul>
        {notes.map(({ code, implementation, message }) => (
          <li key={`${code} ${implementation}`}>
            <strong>{implementation}</strong> {shortLine(message, 400)}
          </li>
        ))}
      </ul>
    </section>
  );
}

const MOST_CHANGES = 100;

function History(): JSX.Element | null {
  const all = changes.value;
  if (all.length === 0 || history.value === undefined) return null;
  const current = all.findLastIndex(({ at }) => at <= now.value);
  const shown = all.slice(-MOST_CHANGES);
  const offset = all.length - shown.length;
  return (
    <section class="resource-history" aria-label="History">
      <h4>History</h4>
      {offset > 0 && <p class="note">{countText(offset, 'earlier change')}</p>}
      <ol>
        {shown.map((change, i) => (
          <Change key={`${change.at} ${change.status}`} change={change} isCurrent={i + offset === current} />
        ))}
      </ol>
    </section>
  );
}

function Change({ change, isCurrent }: { change: ResourceChange; isCurrent: boolean }): JSX.Element {
  const { at, status, text, hasVersion } = change;
  return (
    <li>
      <button
        type="button"
        class="plain history-row"
        aria-current={isCurrent ? 'time' : undefined}
        onClick={() => selectTime(at)}
      >
        <time>{clockTime(at)}</time>
        <Icon kind={statusIcon(status === 'not subscribed' ? undefined : status, hasVersion)} />
        <span>
          {status} <span class="quiet">{shortLine(text, 160)}</span>
        </span>
      </button>
    </li>
  );
}

function Fact({ term, children }: { term: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

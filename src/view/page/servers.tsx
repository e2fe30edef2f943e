import { computed } from '@preact/signals';
import type { JSX } from 'preact';
import { clockTime } from '../../base/clock-time.js';
import { countText } from '../../base/count-text.js';
import { OLD_STYLE } from '../../base/xds-name.js';
import { byTypeAndName, shortType } from '../../proto/resource-types.js';
import { Icon } from './icons.js';
import { extent, history, now, reportScope, revision, scope, selectResource, targetRef } from './store.js';
import { shortLine, shortName } from './text.js';
import { servers } from './timeline/model.js';

/** Whether an authority of the target is or was on a fallback server. */
export const hasFallback = computed(() =>
  servers.value.some(({ marks }) => marks.some(({ kind }) => kind === 'fallback')),
);

/** The authorities of the target with their servers side by side: state, and what each has delivered. */
export function ServersPane(): JSX.Element {
  const authorities = reportScope.value?.authorities ?? [];
  if (authorities.length === 0) return <p class="empty">The client has no server for this target at this time.</p>;
  return (
    <div class="servers">
      {authorities.map((authority) => (
        <Authority key={authority.name} authority={authority} />
      ))}
    </div>
  );
}

type AuthorityStatus = NonNullable<typeof reportScope.value>['authorities'][number];

function Authority({ authority: { name, servers: all } }: { authority: AuthorityStatus }): JSX.Element {
  const delivered = deliveries.value;
  const entries = (scope.value?.entries ?? []).filter((one) => one.authority === name).sort(byTypeAndName);
  const hasAny = (uri: string): boolean => entries.some((one) => delivered.get(keyOf(one))?.has(uri) === true);
  return (
    <section>
      <h3>{name === OLD_STYLE ? 'Servers of the bootstrap' : `Authority ${shortName(name, 60)}`}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{countText(entries.length, 'resource')}</th>
            {all.map(({ uri, priority, state, active, error, retryAt }) => (
              <th scope="col" key={priority} class={active ? 'active' : ''}>
                <Icon kind={state === 'failed' ? 'error' : active ? 'ok' : 'none'} />
                <span class="mono">{shortName(uri, 40)}</span>
                <small>
                  {priority === 0 ? 'primary' : 'fallback'},{' '}
                  {active
                    ? 'active'
                    : state === 'unused'
                      ? 'not connected'
                      : state === 'failed'
                        ? 'failed'
                        : 'connected'}
                </small>
                {error !== null && <small class="bad">{shortLine(error, 200)}</small>}
                {retryAt !== null && <small>next retry {retryAt.slice(11, 23)}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, MAX_ROWS).map((entry) => (
            <tr key={keyOf(entry)}>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  onClick={() => selectResource({ type: shortType(entry.typeUrl), name: entry.name }, 'resource')}
                >
                  <span class="kind">{shortType(entry.typeUrl)}</span> {shortName(entry.name, 60)}
                </button>
              </th>
              {all.map(({ uri, priority }) => {
                const known = delivered.get(keyOf(entry))?.get(uri);
                const isUsed = known !== undefined && entry.server === uri && entry.resource !== undefined;
                return (
                  <td key={priority} class={isUsed ? 'used' : ''}>
                    {known === undefined ? (
                      <span class="quiet">not known</span>
                    ) : (
                      <>
                        version {shortName(known.version, 24)} <span class="quiet">at {clockTime(known.at)}</span>
                        {isUsed && <strong> in use</strong>}
                      </>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {entries.length > MAX_ROWS && <p class="quiet">{countText(entries.length - MAX_ROWS, 'more resource')}</p>}
      {all.some(({ uri }) => !hasAny(uri)) && (
        <p class="quiet">
          Not known: the client has received nothing from this server, so what it serves cannot be compared.
        </p>
      )}
    </section>
  );
}

const MAX_ROWS = 200;

function keyOf({ typeUrl, name }: { typeUrl: string; name: string }): string {
  return `${typeUrl} ${name}`;
}

/** The last version of each resource that each server has delivered, up to the selected time. */
const deliveries = computed(() => {
  revision.value;
  const past = history.value;
  const name = targetRef.value?.scope ?? '';
  const limit = Math.min(now.value, extent.value.end);
  const all = new Map<string, Map<string, { version: string; at: number }>>();
  for (const { typeUrl, name: resource, states } of past?.changesOf(name) ?? []) {
    const byServer = new Map<string, { version: string; at: number }>();
    for (const { at, entry } of states)
      if (at <= limit && entry?.server !== undefined && entry.resource !== undefined)
        byServer.set(entry.server, { version: entry.version, at: entry.updatedAt ?? at });
    all.set(keyOf({ typeUrl, name: resource }), byServer);
  }
  return all;
});

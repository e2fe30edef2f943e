import { formatMillis } from '../base/duration.js';
import type { ResourceStatus, ScopeStatus } from '../view/status.js';
import { visible, visibleShort } from '../view/visible-text.js';
import type { Paint } from './bootstrap.js';
import { type Cell, table } from './table.js';

const HEAD = ['TYPE', 'NAME', 'STATUS', 'VERSION', 'SERVER', 'AGE', 'ERROR'];

/** A scope as a person reads it: how it is, its servers where there is something to say, its resources. */
export function statusText(
  scope: ScopeStatus,
  ageOf: (resource: ResourceStatus) => number | undefined,
  paint: Paint,
): string {
  const bad = scope.resources.filter(({ status }) => status !== 'ACKED');
  const word = bad.length === 0 && scope.resources.length > 0 ? paint.good('ready') : paint.error('not ready');
  const counts = `${scope.resources.length - bad.length} of ${scope.resources.length} resources ACKED`;
  const settled = scope.settled ? '' : ' · still changing or waiting';
  const lines = [`${visible(scope.scope)}   ${word} · ${counts}${settled}`, ...serverLines(scope, paint)];
  if (scope.resources.length > 0) {
    lines.push(
      '',
      ...table(
        HEAD,
        scope.resources.map((resource) => rowOf(resource, ageOf(resource), paint)),
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

function serverLines({ authorities }: ScopeStatus, paint: Paint): string[] {
  return authorities.flatMap(({ name, servers }) => {
    const whose = name === '#old' ? '' : ` (authority ${visibleShort(name)})`;
    const failed = servers.filter(({ error }) => error !== null);
    const active = servers.find((server) => server.active);
    const isFallback = active !== undefined && active.priority > 0;
    return [
      ...(isFallback
        ? [
            `  ${paint.warning('fallback')}: on server ${active.priority + 1} of ${servers.length}, ${visible(active.uri)}${whose}`,
          ]
        : []),
      ...failed.map(({ uri, error }) => `  ${paint.error('server')} ${visible(uri)}${whose}: ${visible(error ?? '')}`),
    ];
  });
}

function rowOf(resource: ResourceStatus, age: number | undefined, paint: Paint): Cell[] {
  const { type, name, status, version, server, error } = resource;
  const isKept = version !== null && status !== 'ACKED';
  const text = isKept ? `${status}, cached` : status;
  return [
    { text: visibleShort(type) },
    { text: visibleShort(name) },
    { text, paint: status === 'ACKED' ? paint.good : isKept ? paint.warning : paint.error },
    { text: version === null ? '–' : visibleShort(version) },
    { text: server === null ? '–' : visibleShort(server) },
    { text: age === undefined ? '–' : formatMillis(age) },
    { text: error === null ? '' : `${error.code}: ${visibleShort(error.message)}` },
  ];
}

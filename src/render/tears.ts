import { formatMillis } from '../base/duration.js';
import type { HeldBackView, ScopeTears, TearView } from '../view/tears.js';
import { visible, visibleShort } from '../view/visible-text.js';
import type { Paint } from './bootstrap.js';
import { type Cell, table } from './table.js';

const HEAD = ['KIND', 'BEGIN', 'LASTED', 'RESOURCES', 'WITHOUT A74', 'WITH A74'];
const TIME_OF_DAY = /T(\d\d:\d\d:\d\d)(\.\d{3})?/;

/** The tears of a scope as a person reads them: how many, then each in a line. */
export function tearsText(
  { scope, tears, heldBack, unobserved }: ScopeTears,
  observedMs: number,
  maxTearMs: number,
  paint: Paint,
): string {
  if (unobserved !== null && tears.length === 0) {
    return `${visible(scope)}   ${paint.warning('nothing observed')} in ${formatMillis(observedMs)}: ${visible(unobserved)}\n`;
  }
  const open = tears.filter(({ end }) => end === null).length;
  const word = tears.length === 0 ? paint.good('no tears') : paint.error(count(tears.length, 'tear'));
  const still = open === 0 ? '' : `, ${open} still open`;
  const head = `${visible(scope)}   ${word} in ${formatMillis(observedMs)}${still}${heldBackText(heldBack)}`;
  if (tears.length === 0) return `${head}\n`;
  const rows = tears.map((tear) => rowOf(tear, tear.durationMs > maxTearMs, paint));
  return `${[head, '', ...table(HEAD, rows)].join('\n')}\n`;
}

/** What A74 spares the RPCs, in numbers. */
function heldBackText(spans: readonly HeldBackView[]): string {
  if (spans.length === 0) return '';
  const times = spans.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const total = times.reduce((sum, time) => sum + time, 0);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  return ` · ${count(spans.length, 'name')} held back for ${formatMillis(total)} in all (median ${formatMillis(median)})`;
}

function rowOf(tear: TearView, isFinding: boolean, paint: Paint): Cell[] {
  const { kind, begin, end, durationMs, resources, routes, wouldHave, instead } = tear;
  const what = resources.map(({ type, name, version, status }) => {
    const without = status === null || status === 'REQUESTED' ? 'absent' : status;
    const which = version === null ? without : `version ${visibleShort(version)}`;
    return `${type} ${visibleShort(name)} (${which})`;
  });
  const where =
    routes.length === 0 ? '' : ` · ${count(routes.length, 'route')}: ${routes.map(visibleShort).join('; ')}`;
  return [
    { text: kind, paint: isFinding ? paint.error : paint.warning },
    { text: TIME_OF_DAY.exec(begin)?.slice(1).join('') ?? begin },
    { text: end === null ? 'open' : formatMillis(durationMs) },
    { text: what.join(', ') || '–' },
    { text: `${visibleShort(wouldHave)}${where}` },
    { text: visibleShort(instead) },
  ];
}

function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}

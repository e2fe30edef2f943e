import { timeOfDay } from '../../base/clock-time.js';
import { countText, firstFew, thousands } from '../../base/count-text.js';
import { formatMillis } from '../../base/duration.js';
import { getOrAdd } from '../../base/get-or-add.js';
import type { FleetDocument, FleetGroupView, FleetProblemView, RolloutView } from '../fleet/fleet-document.js';
import { nameOf } from '../fleet/fleet-summary.js';
import { fleetLabels } from '../fleet/labels.js';
import type { Page } from '../formats.js';
import { visible, visibleMessage, visibleShort } from '../visible-text.js';
import type { Paint } from './paint.js';
import { nackText } from './status-rows.js';
import { type Cell, type Column, table } from './table.js';
import { wrapped } from './wrap.js';

/** How much the table shows; `-o wide` shows everything. */
interface Limits {
  groups: number;
  problems: number;
  names: number;
}

const TABLE: Limits = { groups: 20, problems: 5, names: 3 };
const WIDE: Limits = {
  groups: Number.POSITIVE_INFINITY,
  problems: Number.POSITIVE_INFINITY,
  names: Number.POSITIVE_INFINITY,
};

const COLUMNS: readonly Column[] = [
  { title: 'CLIENTS' },
  { title: 'STATE' },
  { title: 'TARGET', minWidth: 12, cut: 'middle', dropOrder: 1 },
  { title: 'AGE', dropOrder: 2 },
  { title: 'RESOURCE', minWidth: 12, cut: 'middle' },
  { title: 'VERSION', minWidth: 10, cut: 'middle' },
  { title: 'WHO', minWidth: 16, cut: 'end' },
];

export function fleetTable(document: FleetDocument, page: Page): string {
  return fleetText(document, page, TABLE);
}

/** Nothing is cut or omitted; the versions of every resource follow. */
export function fleetWide(document: FleetDocument, page: Page): string {
  const whole = { ...page, width: undefined };
  return `${fleetText(document, whole, WIDE)}${versionsText(document, whole)}`;
}

function fleetText(document: FleetDocument, page: Page, limits: Limits): string {
  const { summary, groups, unread, rollouts = [] } = document;
  const head = wrapped(summary, page.width, '  ').map((line) => page.paint.strong(line));
  const rows = [...unreadRows(unread, page, limits), ...groupRows(document, page, limits)];
  const isHidden = (title: string): boolean => title === 'TARGET' && new Set(groups.map(({ scope }) => scope)).size < 2;
  const columns = COLUMNS.filter(({ title }) => !isHidden(title));
  const cells = rows.map((row) => row.filter((_, i) => !isHidden((COLUMNS[i] as Column).title)));
  const lines = [...head, ...contextLines(document, page.paint)];
  if (rows.length > 0) lines.push('', ...table(columns, cells, page.width));
  lines.push(...moreLines(groups, limits, page.paint), ...rolloutLines(rollouts, page));
  // Another table follows when the others have responded.
  if (document.waitingFor.length > 0) lines.push('');
  return `${lines.join('\n')}\n`;
}

/** `  1,000 of 1,002 addresses · xds:///greeter` */
function contextLines({ addresses, answered, unread, groups }: FleetDocument, paint: Paint): string[] {
  const dead = new Set(unread.map(({ address }) => address)).size;
  const read = Math.max(0, answered - dead);
  const scopes = new Set(groups.map(({ scope }) => scope));
  const [scope = ''] = scopes;
  const count =
    read === addresses
      ? `${countText(addresses, 'address', 'addresses')} read`
      : `${thousands(read)} of ${countText(addresses, 'address', 'addresses')} read`;
  return [paint.dim(`  ${count}${scopes.size === 1 && scope !== '' ? ` · ${visibleShort(scope)}` : ''}`)];
}

/** Errors of Node contain the address, which the row has already. */
const PEER = /\b(E[A-Z]+) \S+:\d+/g;

/** Addresses with the same error share a row. */
function unreadRows(unread: FleetDocument['unread'], { paint }: Page, { names }: Limits): Cell[][] {
  const byError = new Map<string, string[]>();
  for (const { address, error } of unread) getOrAdd(byError, error.replace(PEER, '$1'), () => []).push(address);
  return [...byError].map(([error, addresses]) => [
    { text: '?' },
    { text: 'UNREAD', paint: paint.error },
    { text: '' },
    { text: '' },
    { text: '' },
    { text: '' },
    whoCell([named(addresses, names), visibleMessage(error)]),
  ]);
}

const COLORS: Record<FleetGroupView['state'], keyof Paint> = {
  rejected: 'error',
  error: 'error',
  missing: 'error',
  fails: 'error',
  stale: 'warning',
  older: 'warning',
  different: 'warning',
  newer: 'warning',
  waiting: 'warning',
  agrees: 'good',
};

function groupRows({ groups }: FleetDocument, page: Page, limits: Limits): Cell[][] {
  const labels = fleetLabels(groups);
  return groups.slice(0, limits.groups).flatMap((group) => {
    const { count, state, scope, problems, resources } = group;
    const who = named(labels.of(group), limits.names);
    const start: Cell[] = [
      { text: thousands(count) },
      { text: state === 'agrees' ? 'AGREE' : state.toUpperCase(), paint: page.paint[COLORS[state]] },
      { text: visibleShort(scope) || '–' },
    ];
    if (problems.length === 0) {
      const held = { text: countText(resources, 'resource') };
      return [[...start, { text: '' }, held, { text: '' }, { text: who }]];
    }
    const more = problems.length - limits.problems;
    const rows = problems
      .slice(0, limits.problems)
      .map((problem, i) => [
        ...(i === 0 ? start : start.map(() => ({ text: '' }))),
        ...problemCells(problem, i === 0 ? who : '', group, page),
      ]);
    if (more > 0) rows.push([...start.map(() => ({ text: '' })), ...moreCells(more)]);
    return rows;
  });
}

function moreCells(more: number): Cell[] {
  return [{ text: '' }, { text: `… ${countText(more, 'more problem')}` }, { text: '' }, { text: '' }];
}

/** Who has the problem, and what it is. A long text continues below its row. */
function whoCell(parts: readonly string[]): Cell {
  return { text: parts.filter((text) => text !== '').join(' · '), isContinued: true };
}

function problemCells(problem: FleetProblemView, who: string, { verdict }: FleetGroupView, page: Page): Cell[] {
  const { since, message, kind } = problem;
  const age = since === null ? '' : page.showsTimes ? since : formatMillis(Math.max(0, page.ageOf(since)));
  const verb = verdict === 'partly' ? 'RPCs fail in part: ' : 'RPCs fail: ';
  const detail = message === null ? '' : visibleMessage(nackText(message));
  return [
    { text: age },
    { text: kind === 'fails' ? 'RPCs' : nameOf(problem) },
    { text: versionText(problem) },
    whoCell([who, kind === 'fails' ? `${verb}${detail}` : detail]),
  ];
}

/** `6 (7)`: 6 is in use, 7 was rejected. `6, 7 for 996`: most clients have 7. */
function versionText(problem: FleetProblemView): string {
  const { version, rejectedVersion, expectedVersion, expectedClients } = problem;
  const own = version === null ? '' : visibleShort(version);
  const rejected = rejectedVersion === null ? '' : `(${visibleShort(rejectedVersion)})`;
  const parts = [own, rejected].filter((text) => text !== '').join(' ') || (expectedVersion === null ? '' : '–');
  if (expectedVersion === null) return parts;
  return `${parts}, ${visibleShort(expectedVersion)} for ${thousands(expectedClients ?? 0)}`;
}

function named(labels: readonly string[], most: number): string {
  return firstFew(labels, most, visible, (more) => ` and ${thousands(more)} more`);
}

function moreLines(groups: readonly FleetGroupView[], limits: Limits, paint: Paint): string[] {
  const more = groups.slice(limits.groups);
  if (more.length === 0) return [];
  const clients = more.reduce((sum, { count }) => sum + count, 0);
  return [paint.dim(`… ${countText(more.length, 'more group')} (${countText(clients, 'client')}): -o wide shows all`)];
}

/** `CDS version 7: 996 of 1,000 clients; median 120 ms, last 2.3 s after the first (12:00:01.204)` */
export function rolloutText(rollout: RolloutView, showsTimes: boolean): string {
  const { type, version, clients, of, medianMs, lastMs, firstAt, clock } = rollout;
  const first = showsTimes ? firstAt : timeOfDay(firstAt);
  const whose = clock === 'clients' ? 'as the clients state it' : 'as polls found it';
  const spread = clients < 2 ? '' : ` median ${formatMillis(medianMs)}, last ${formatMillis(lastMs)} after the first;`;
  return `${visibleShort(type)} version ${visibleShort(version)}: ${thousands(clients)} of ${countText(of, 'client')};${spread} first at ${first}, ${whose}`;
}

function rolloutLines(rollouts: readonly RolloutView[], page: Page): string[] {
  if (rollouts.length === 0) return [];
  const lines = rollouts.map((one) => `  ${rolloutText(one, page.showsTimes)}`);
  return ['', 'New versions', ...lines.flatMap((line) => wrapped(line, page.width, '    '))];
}

/** The versions of every resource, one row each. */
function versionsText({ resources }: FleetDocument, page: Page): string {
  if (resources.length === 0) return '';
  const columns = ['TYPE', 'NAME', 'VERSION', 'CLIENTS', 'FIRST', ''].map((title) => ({ title }));
  const rows = resources.flatMap(({ type, name, versions }) =>
    versions.map(({ version, clients, firstAt, agrees }): Cell[] => [
      { text: visibleShort(type) },
      { text: visible(name) },
      { text: version === null ? '–' : visibleShort(version) },
      { text: thousands(clients) },
      { text: firstAt === null ? '–' : page.showsTimes ? firstAt : formatMillis(Math.max(0, page.ageOf(firstAt))) },
      { text: agrees ? '' : 'differs', paint: page.paint.warning },
    ]),
  );
  return `\n${table(columns, rows).join('\n')}\n`;
}

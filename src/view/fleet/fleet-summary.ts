import { countText, firstFew, thousands } from '../../base/count-text.js';
import { STANDINGS, type StandingWord } from '../../inspect/fleet/standing.js';
import { visibleName, visibleShort } from '../visible-text.js';
import type { FleetDocument, FleetGroupView, FleetProblemView } from './fleet-document.js';

type Facts = Pick<FleetDocument, 'addresses' | 'answered' | 'waitingFor' | 'clients' | 'counts' | 'groups' | 'unread'>;

/** `1,000 clients: 996 agree; 1 rejected CDS blue (version 7); 3 have an older CDS blue (version 6, 7 for 996); 2 did not answer` */
export function fleetSummary({ clients, counts, groups, unread, waitingFor }: Facts): string {
  const dead = new Set(unread.map(({ address }) => address)).size;
  const parts = [
    ...(counts.agrees === undefined ? [] : [agreeing(counts.agrees, clients)]),
    ...STANDINGS.flatMap((word) => {
      const all = groups.filter(({ state }) => state === word);
      return word === 'agrees' || all.length === 0 ? [] : [standingText(word, all, counts[word] ?? 0)];
    }),
    ...(dead === 0 ? [] : [`${countText(dead, 'address', 'addresses')} could not be read`]),
    ...(waitingFor.length === 0
      ? []
      : [`${countText(waitingFor.length, 'address has', 'addresses have')} not responded yet`]),
  ];
  const total = countText(clients, 'client');
  return parts.length === 0 ? total : `${total}: ${parts.join('; ')}`;
}

function agreeing(count: number, clients: number): string {
  if (count < clients) return `${thousands(count)} ${count === 1 ? 'agrees' : 'agree'}`;
  return clients === 1 ? 'no problem' : clients === 2 ? 'both agree' : `all ${thousands(count)} agree`;
}

function standingText(word: StandingWord, groups: readonly FleetGroupView[], count: number): string {
  const problems = groups.flatMap((group) => group.problems.filter(({ kind }) => kind === word));
  return `${thousands(count)} ${TEXTS[word as keyof typeof TEXTS](problems, groups, count)}`;
}

type Text = (problems: readonly FleetProblemView[], groups: readonly FleetGroupView[], count: number) => string;

const TEXTS: Record<Exclude<StandingWord, 'agrees'>, Text> = {
  rejected: (problems) => `rejected ${resourcesText(problems)}${rejectedText(problems)}`,
  error: (problems, _groups, count) => `${count === 1 ? 'has' : 'have'} an error for ${resourcesText(problems)}`,
  missing: (problems, _groups, count) => `${count === 1 ? 'lacks' : 'lack'} ${resourcesText(problems)}`,
  fails: (problems, groups, count) => {
    const isPartial = groups.every(({ verdict }) => verdict === 'partly');
    const causes = [...new Set(problems.map(({ message }) => message ?? 'RPCs fail'))];
    const verb = `${count === 1 ? 'fails' : 'fail'}${isPartial ? ' in part' : ''}`;
    return `${verb}: ${firstFew(causes, 1, visibleShort, (more) => ` (and ${countText(more, 'other cause')})`)}`;
  },
  stale: (problems, _groups, count) =>
    `${count === 1 ? 'has' : 'have'} not acknowledged ${resourcesText(problems)} (STALE)`,
  older: (problems, _groups, count) => differing('an older', 'older versions of', problems, count),
  different: (problems, _groups, count) => differing('a different', 'different versions of', problems, count),
  newer: (problems, _groups, count) => differing('a newer', 'newer versions of', problems, count),
  waiting: (problems, _groups, count) =>
    `${count === 1 ? 'waits' : 'wait'} for ${problems.some(({ name }) => name !== null) ? resourcesText(problems) : 'resources'}`,
};

/** `have an older CDS blue (version 6, 7 for 996)` */
function differing(one: string, many: string, problems: readonly FleetProblemView[], count: number): string {
  const verb = count === 1 ? 'has' : 'have';
  const names = new Set(problems.map(nameOf));
  if (names.size > 1) return `${verb} ${many} ${resourcesText(problems)}`;
  const versions = [...new Set(problems.map(({ version }) => version ?? 'none'))];
  const [first] = problems;
  const own = firstFew(versions, 2, visibleShort);
  const expected = `${visibleShort(first?.expectedVersion ?? 'none')} for ${thousands(first?.expectedClients ?? 0)}`;
  return `${verb} ${one} ${[...names][0]} (version ${own}, ${expected})`;
}

function resourcesText(problems: readonly FleetProblemView[]): string {
  const names = [...new Set(problems.filter(({ type }) => type !== null).map(nameOf))];
  return firstFew(names, 2, (name) => name);
}

export function nameOf({ type, name }: Pick<FleetProblemView, 'type' | 'name'>): string {
  return name === null || name === '' ? visibleShort(type ?? '') : `${visibleShort(type ?? '')} ${visibleName(name)}`;
}

function rejectedText(problems: readonly FleetProblemView[]): string {
  const versions = [...new Set(problems.flatMap(({ rejectedVersion }) => rejectedVersion ?? []))];
  return versions.length === 0 ? '' : ` (version ${firstFew(versions, 2, visibleShort)})`;
}

import type { HeldResource } from '../../inspect/fleet/client-state.js';
import type { Fleet, FleetGroup } from '../../inspect/fleet/fleet.js';
import type { FleetClient } from '../../inspect/fleet/fleet-inspection.js';
import { agrees, type ResourceVersions, type VersionInUse } from '../../inspect/fleet/resource-versions.js';
import type { Rollout } from '../../inspect/fleet/rollouts.js';
import type { FleetProblem, StandingWord } from '../../inspect/fleet/standing.js';
import type { VerdictWord } from '../../inspect/verdict/verdict.js';
import { shortType } from '../../proto/resource-types.js';
import { timestamp } from '../../proto/timestamp.js';
import { fleetSummary } from './fleet-summary.js';

export interface FleetDocument {
  schema: 'xds-inspect/fleet/v1';
  /** Line 1 of the text. */
  summary: string;
  /** How many addresses there are, and how many have responded. */
  addresses: number;
  answered: number;
  /** Addresses that have not responded yet. */
  waitingFor: string[];
  clients: number;
  /** The number of clients by how they differ from the others. */
  counts: Partial<Record<StandingWord, number>>;
  /** The worst first. */
  groups: FleetGroupView[];
  resources: ResourceVersionsView[];
  /** Only with `--watch`. */
  rollouts?: RolloutView[];
  unread: { address: string; error: string }[];
}

export interface FleetGroupView {
  state: StandingWord;
  scope: string;
  verdict: VerdictWord;
  cause: string | null;
  resources: number;
  problems: FleetProblemView[];
  count: number;
  clients: { address: string; name?: string; clientScope: string; node: string | null }[];
}

export interface FleetProblemView {
  kind: FleetProblem['kind'];
  type: string | null;
  name: string | null;
  status: HeldResource['status'] | null;
  /** The version in use. */
  version: string | null;
  rejectedVersion: string | null;
  /** What most clients have; null if this is no difference. */
  expectedVersion: string | null;
  expectedClients: number | null;
  /** Since when: the first update that failed, or when the first client received the expected version. */
  since: string | null;
  message: string | null;
}

export interface ResourceVersionsView {
  type: string;
  typeUrl: string;
  name: string;
  clients: number;
  versions: { version: string | null; clients: number; firstAt: string | null; agrees: boolean }[];
}

export type RolloutView = Omit<Rollout, 'firstAt' | 'changedAt'> & { type: string; firstAt: string };

/** What is known besides the answers. */
export interface FleetContext {
  addresses: readonly string[];
  answered: ReadonlySet<string>;
  /** The DNS names of addresses. */
  names: ReadonlyMap<string, string>;
  /** Undefined if the fleet is not followed. */
  rollouts: readonly Rollout[] | undefined;
}

export function fleetDocument(fleet: Fleet, context: FleetContext): FleetDocument {
  const { addresses, answered, names, rollouts } = context;
  const groups = fleet.groups.map((group) => groupView(group, names));
  const counts: FleetDocument['counts'] = {};
  for (const { state, count } of groups) counts[state] = (counts[state] ?? 0) + count;
  const waitingFor = addresses.filter((address) => !answered.has(address));
  const facts = {
    addresses: addresses.length,
    answered: answered.size,
    waitingFor,
    clients: fleet.clients,
    counts,
    groups,
    unread: fleet.unread,
  };
  return {
    schema: 'xds-inspect/fleet/v1',
    summary: fleetSummary(facts),
    ...facts,
    resources: fleet.versions.map(versionsView),
    ...(rollouts && { rollouts: rollouts.map(rolloutView) }),
    unread: fleet.unread,
  };
}

function groupView({ scope, standing, clients, resources }: FleetGroup, names: FleetContext['names']): FleetGroupView {
  const [first] = clients as [FleetClient];
  return {
    state: standing.word,
    scope,
    verdict: first.state.verdict.word,
    cause: first.state.verdict.cause,
    resources,
    problems: standing.problems.map((problem) => problemView(problem, clients)),
    count: clients.length,
    clients: clients.map(({ address, clientScope, node }) => {
      const name = names.get(address);
      return { address, ...(name !== undefined && { name }), clientScope, node };
    }),
  };
}

function problemView(problem: FleetProblem, clients: readonly FleetClient[]): FleetProblemView {
  const { kind, resource, reference, message, index } = problem;
  const version = resource?.version ?? null;
  return {
    kind,
    type: resource === undefined ? null : shortType(resource.typeUrl),
    name: resource?.name ?? null,
    status: resource?.status ?? null,
    version,
    rejectedVersion: resource?.error?.version ?? null,
    expectedVersion: reference?.version ?? null,
    expectedClients: reference?.clients ?? null,
    since: timeText(sinceOf(problem, clients, index)),
    message,
  };
}

function sinceOf(
  { kind, reference }: FleetProblem,
  clients: readonly FleetClient[],
  index: number,
): number | undefined {
  if (kind === 'older') return reference?.firstAt;
  if (index < 0) return undefined;
  return clients.reduce<number | undefined>((first, { errorTimes, times }) => {
    const time = errorTimes?.get(index) ?? times[index] ?? Number.NaN;
    return Number.isNaN(time) || (first !== undefined && first < time) ? first : time;
  }, undefined);
}

function versionsView({ typeUrl, name, clients, versions, reference }: ResourceVersions): ResourceVersionsView {
  return {
    type: shortType(typeUrl),
    typeUrl,
    name,
    clients,
    versions: byVersion(versions, reference),
  };
}

/** Versions with different contents are counted together, unless only some of them agree with most clients. */
function byVersion(versions: readonly VersionInUse[], reference: VersionInUse): ResourceVersionsView['versions'] {
  const merged = new Map<string, VersionInUse & { agrees: boolean }>();
  for (const one of versions) {
    const isAgreeing = agrees(one, reference);
    const key = JSON.stringify([one.version, isAgreeing]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { ...one, agrees: isAgreeing });
    else {
      known.clients += one.clients;
      known.firstAt = Math.min(known.firstAt ?? Number.POSITIVE_INFINITY, one.firstAt ?? Number.POSITIVE_INFINITY);
    }
  }
  return [...merged.values()].map(({ version, clients, firstAt, agrees: isAgreeing }) => ({
    version,
    clients,
    firstAt: timeText(Number.isFinite(firstAt) ? firstAt : undefined),
    agrees: isAgreeing,
  }));
}

export function rolloutView({ typeUrl, firstAt, changedAt: _changedAt, ...rest }: Rollout): RolloutView {
  return { type: shortType(typeUrl), typeUrl, ...rest, firstAt: timestamp(firstAt) };
}

function timeText(time: number | undefined): string | null {
  return time === undefined ? null : timestamp(time);
}

import { getOrAdd } from '../../base/get-or-add.js';
import { compareText } from './client-state.js';
import type { FleetAnswer, FleetClient } from './fleet-inspection.js';
import { type ResourceVersions, resourceVersions } from './resource-versions.js';
import type { ShownResource } from './shown-resource.js';
import { STANDINGS, type Standing, standingOf } from './standing.js';

/** Clients that have the same resources and the same problems. */
export interface FleetGroup {
  scope: string;
  standing: Standing;
  /** In the order of their addresses. */
  clients: FleetClient[];
  /** The number of resources of each client. */
  resources: number;
}

/** All clients, compared with each other. */
export interface Fleet {
  clients: number;
  /** The worst first; of equally bad ones, the largest. */
  groups: FleetGroup[];
  versions: ResourceVersions[];
  unread: { address: string; error: string }[];
}

/** Groups the clients of all processes by what they have. The result does not depend on the order of the answers. */
export function fleetOf(answers: readonly FleetAnswer[], isShown: (resource: ShownResource) => boolean): Fleet {
  const clients = answers.flatMap((answer) => answer.clients).sort(byAddress);
  const versions = resourceVersions(clients);
  const groups = new Map<string, FleetGroup>();
  const standings = new Map<FleetClient['state'], { key: string; standing: Standing }>();
  for (const client of clients) {
    const { state } = client;
    const { key, standing } = getOrAdd(standings, state, () => {
      const found = shownStanding(standingOf(state, versions), isShown);
      return { standing: found, key: groupKey(state, found) };
    });
    const group = getOrAdd(groups, key, () => {
      return { scope: state.scope, standing, clients: [], resources: state.resources.length };
    });
    group.clients.push(client);
  }
  return {
    clients: clients.length,
    groups: [...groups.values()].sort(worstFirst),
    versions: [...versions.values()].filter((one) => isShown({ ...one, status: undefined })),
    unread: answers
      .flatMap(({ address, problems }) => problems.map((error) => ({ address, error })))
      .sort((a, b) => compareText(a.address, b.address) || compareText(a.error, b.error)),
  };
}

/** A problem of a resource that the user has filtered out does not count. */
function shownStanding({ problems }: Standing, isShown: (resource: ShownResource) => boolean): Standing {
  const shown = problems.filter(({ resource }) => resource === undefined || isShown(resource));
  return { word: shown[0]?.kind ?? 'agrees', problems: shown };
}

/** States that differ only in the contents of agreeing resources are one group. */
function groupKey({ scope, resources }: FleetClient['state'], { problems }: Standing): string {
  return JSON.stringify([
    scope,
    resources.map(({ typeUrl, name }) => [typeUrl, name]),
    problems.map(({ kind, index, message, resource }) => [kind, index, message, resource?.version, resource?.error]),
  ]);
}

function byAddress(a: FleetClient, b: FleetClient): number {
  return (
    compareText(a.address, b.address) ||
    compareText(a.state.scope, b.state.scope) ||
    compareText(a.node ?? '', b.node ?? '') ||
    compareText(a.clientScope, b.clientScope)
  );
}

function worstFirst(a: FleetGroup, b: FleetGroup): number {
  return (
    STANDINGS.indexOf(a.standing.word) - STANDINGS.indexOf(b.standing.word) ||
    b.clients.length - a.clients.length ||
    byAddress(a.clients[0] as FleetClient, b.clients[0] as FleetClient)
  );
}

import { getOrAdd } from '../../base/get-or-add.js';
import { byTypeAndName, compareText, type HeldResource } from './client-state.js';
import type { FleetClient } from './fleet-inspection.js';

/** A version of a resource, and who has it. */
export interface VersionInUse {
  version: string | null;
  contents: string | undefined;
  clients: number;
  /** When the first of its clients received it; undefined if none of them says. */
  firstAt: number | undefined;
}

/** The versions of a resource that clients use. */
export interface ResourceVersions {
  typeUrl: string;
  name: string;
  /** How many clients have the resource. */
  clients: number;
  /** What most clients have: the others are compared with it. */
  reference: VersionInUse;
  /** The most frequent first. */
  versions: VersionInUse[];
}

export const keyOf = ({ typeUrl, name }: Pick<HeldResource, 'typeUrl' | 'name'>): string => `${typeUrl} ${name}`;

/** The versions of every resource. The result does not depend on the order of the clients. */
export function resourceVersions(clients: readonly FleetClient[]): Map<string, ResourceVersions> {
  const byResource = new Map<string, { held: HeldResource; versions: Map<string, VersionInUse> }>();
  for (const [resources, sharing] of clientsByState(clients)) {
    for (const [i, held] of resources.entries()) {
      if (held.version === null && held.contents === undefined) continue;
      const { versions } = getOrAdd(byResource, keyOf(held), () => ({ held, versions: new Map() }));
      const { version, contents } = held;
      const one = getOrAdd(versions, JSON.stringify([version, contents]), () => {
        return { version, contents, clients: 0, firstAt: undefined };
      });
      one.clients += sharing.length;
      for (const { times } of sharing) one.firstAt = earlier(one.firstAt, times[i]);
    }
  }
  const all = [...byResource.values()].sort((a, b) => byTypeAndName(a.held, b.held));
  return new Map(all.map(({ held, versions }) => [keyOf(held), versionsOf(held, [...versions.values()])]));
}

function clientsByState(clients: readonly FleetClient[]): Map<readonly HeldResource[], FleetClient[]> {
  const groups = new Map<readonly HeldResource[], FleetClient[]>();
  for (const client of clients) getOrAdd(groups, client.state.resources, () => []).push(client);
  return groups;
}

function earlier(known: number | undefined, time: number | undefined): number | undefined {
  if (time === undefined || Number.isNaN(time)) return known;
  return known === undefined ? time : Math.min(known, time);
}

function versionsOf({ typeUrl, name }: HeldResource, versions: VersionInUse[]): ResourceVersions {
  versions.sort(byFrequency);
  const clients = versions.reduce((sum, one) => sum + one.clients, 0);
  return { typeUrl, name, clients, versions, reference: referenceOf(versions) };
}

/** The most frequent first; of equally frequent ones, the newest. */
function byFrequency(a: VersionInUse, b: VersionInUse): number {
  return (
    b.clients - a.clients ||
    (b.firstAt ?? 0) - (a.firstAt ?? 0) ||
    compareText(b.version ?? '', a.version ?? '') ||
    compareText(a.contents ?? '', b.contents ?? '')
  );
}

/**
 * What most clients have. A response need not repeat unchanged routes and endpoints, so a client that connected later has
 * the same contents under a later version. And a control plane may send each client its own contents under one version.
 * So both count: the more frequent of them decides.
 */
function referenceOf(versions: readonly VersionInUse[]): VersionInUse {
  const byVersion = mostFrequent(versions, ({ version }) => version ?? undefined);
  const byContents = mostFrequent(versions, ({ contents }) => contents);
  const chosen = count(byVersion) > count(byContents) ? byVersion : (byContents ?? byVersion);
  // The versions are sorted: the first one of the chosen set is the most frequent.
  return (chosen ?? versions)[0] as VersionInUse;
}

function mostFrequent(
  versions: readonly VersionInUse[],
  keyOfVersion: (one: VersionInUse) => string | undefined,
): VersionInUse[] | undefined {
  const sets = new Map<string, VersionInUse[]>();
  for (const one of versions) {
    const key = keyOfVersion(one);
    if (key !== undefined) getOrAdd(sets, key, () => []).push(one);
  }
  // The versions are sorted, and so are the sets of equally many clients.
  return [...sets.values()].sort((a, b) => count(b) - count(a))[0];
}

function count(versions: readonly VersionInUse[] | undefined): number {
  return versions?.reduce((sum, one) => sum + one.clients, 0) ?? 0;
}

/** Whether a client that has this version agrees with most clients. */
export function agrees(
  one: Pick<HeldResource, 'version' | 'contents'>,
  { version, contents }: Pick<VersionInUse, 'version' | 'contents'>,
): boolean {
  return (one.version !== null && one.version === version) || (one.contents !== undefined && one.contents === contents);
}

/**
 * How a version relates to that of most clients. Numbers decide; if the versions are not numbers, the time at which the first
 * client received them. A time is weaker, because a client that reconnects receives its version again (R8.4).
 */
export function ageOfVersion(
  one: Omit<VersionInUse, 'clients'>,
  reference: VersionInUse,
): 'older' | 'newer' | 'different' {
  const order = orderOf(numberOf(one.version), numberOf(reference.version)) || orderOf(one.firstAt, reference.firstAt);
  return order === 0 ? 'different' : order < 0 ? 'older' : 'newer';
}

/** 0 if they are equal or cannot be compared. */
function orderOf(a: number | undefined, b: number | undefined): number {
  return a === undefined || b === undefined ? 0 : a - b;
}

function numberOf(version: string | null): number | undefined {
  return version !== null && /^\d{1,15}$/.test(version) ? Number(version) : undefined;
}

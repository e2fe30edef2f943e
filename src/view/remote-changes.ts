import type { Line, Tone } from './event-line.js';
import { type ResourceStatus, type ScopeStatus, stateOf } from './status.js';
import { visibleShort } from './visible-text.js';
import { isGoodState } from './worst-first.js';

/** A change of a resource in another process since the previous CSDS response. */
export interface RemoteChange {
  address: string;
  scope: string;
  /** Only of a client without a scope: a control plane reports its clients by node. */
  node?: string;
  change: 'added' | 'changed' | 'removed';
  before: ResourceStatus | undefined;
  resource: ResourceStatus;
}

/** Compares two CSDS responses of one process by the fields that are shown. */
export function remoteChanges(before: readonly ScopeStatus[], after: readonly ScopeStatus[]): RemoteChange[] {
  const old = new Map(before.flatMap(rowsOf));
  const changes: RemoteChange[] = [];
  for (const [key, { scope, resource }] of after.flatMap(rowsOf)) {
    const known = old.get(key)?.resource;
    old.delete(key);
    const change = known === undefined ? 'added' : 'changed';
    if (known === undefined || !isSame(known, resource)) changes.push({ ...scope, change, before: known, resource });
  }
  for (const { scope, resource } of old.values())
    changes.push({ ...scope, change: 'removed', before: resource, resource });
  return changes;
}

interface ScopedResource {
  scope: Pick<RemoteChange, 'address' | 'scope' | 'node'>;
  resource: ResourceStatus;
}

function rowsOf({ scope, remote, resources }: ScopeStatus): [string, ScopedResource][] {
  const { address = '', clientScope = '', node } = remote ?? {};
  return resources.map((resource) => [
    JSON.stringify([address, clientScope, node, resource.typeUrl, resource.name]),
    { scope: { address, scope, ...(scope === '' && node && { node }) }, resource },
  ]);
}

function isSame(a: ResourceStatus, b: ResourceStatus): boolean {
  const shownFields = ({ status, sync, version, lastUpdated, error, detail }: ResourceStatus): string =>
    JSON.stringify([status, sync, version, lastUpdated, error, detail]);
  return shownFields(a) === shownFields(b);
}

/** `CDS blue  ACKED 6 → NACKED 6 (7): …` */
export function changeLine({ address, scope, node, change, before, resource }: RemoteChange, at: number): Line {
  const client = scope || node;
  const who = visibleShort(client === undefined ? address : `${address} / ${client}`);
  const what = `${visibleShort(resource.type)} ${visibleShort(resource.name)}`;
  if (change === 'removed') return { at, who, text: `${what}  removed`, tone: 'quiet' };
  const from = before === undefined || stateText(before) === stateText(resource) ? '' : `${stateText(before)} → `;
  const { error, detail } = resource;
  const text = error === null ? (detail ?? '') : error.message;
  return {
    at,
    who,
    text: `${what}  ${from}${stateText(resource)}${text === '' ? '' : `: ${visibleShort(text)}`}`,
    tone: toneOf(resource),
  };
}

function stateText(resource: ResourceStatus): string {
  const { version, error } = resource;
  const rejected = error?.version == null ? '' : ` (${visibleShort(error.version)})`;
  return `${stateOf(resource)}${version === null ? '' : ` ${visibleShort(version)}`}${rejected}`;
}

function toneOf(resource: ResourceStatus): Tone {
  const state = stateOf(resource);
  if (isGoodState(state)) return 'good';
  return state === 'REQUESTED' || state === 'UNKNOWN' || state === 'NOT_SENT' ? 'plain' : 'bad';
}

import type { Preset } from '../bootstrap/switches.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { DumpedResource } from '../csds/dump.js';
import type { FollowedDump } from '../csds/follow-dump.js';
import type { ValidatedDump } from '../csds/validate-dump.js';
import { commonPreset, type RemoteAnswer } from '../inspect/remote-answer.js';
import { resourceDetail } from '../inspect/resource-detail.js';
import type { IsShown } from '../inspect/resource-filter.js';
import { RESOURCE_TYPES, shortType } from '../proto/resource-types.js';
import { timestamp } from '../proto/timestamp.js';
import type { StatusDocument } from './documents.js';
import {
  channelStatuses,
  errorStatus,
  type ResourceStatus,
  type ScopeStatus,
  stateOf,
  type UnknownTarget,
  worstVerdict,
} from './status.js';
import { countStates } from './worst-first.js';

/** Prints the contents of a resource in proto JSON; undefined if contents are not shown. */
type ContentsOf = ((typeUrl: string, bytes: Uint8Array) => unknown) | undefined;

const ORDER: readonly string[] = Object.values(RESOURCE_TYPES);
const placeOf = (typeUrl: string): number => (ORDER.indexOf(typeUrl) + ORDER.length + 1) % (ORDER.length + 1);

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function rowsOf({ dump, entries, rejections }: ValidatedDump, contentsOf: ContentsOf): ResourceStatus[] {
  return dump.resources
    .map((one, i) => rowOf(one, entries[i] as CacheEntry, rejections.get(i), contentsOf))
    .sort(
      (a, b) => placeOf(a.typeUrl) - placeOf(b.typeUrl) || compare(a.typeUrl, b.typeUrl) || compare(a.name, b.name),
    );
}

function rowOf(
  one: DumpedResource,
  entry: CacheEntry,
  refusal: string | undefined,
  contentsOf: ContentsOf,
): ResourceStatus {
  const { typeUrl, name, status, sync, version, updatedAt, contents } = one;
  // Some clients report a version for a resource that they do not have.
  const isGone = contents === undefined && status === 'DOES_NOT_EXIST';
  return {
    type: shortType(typeUrl),
    typeUrl,
    name,
    authority: entry.authority,
    status,
    sync: sync ?? null,
    version: version === '' || isGone ? null : version,
    lastUpdated: updatedAt === undefined || isGone ? null : timestamp(updatedAt),
    askedSince: null,
    server: null,
    watchers: 0,
    detail: detailOf(one, entry, refusal),
    error: entry.error === undefined ? null : errorStatus(entry.error),
    ...(contentsOf && { contents: contents === undefined ? null : contentsOf(typeUrl, contents) }),
  };
}

function detailOf({ phase }: DumpedResource, { resource }: CacheEntry, refusal: string | undefined): string | null {
  const holds = resource === undefined ? '' : resourceDetail(resource);
  const verdict = refusal === undefined ? '' : `C-core would reject this: ${refusal}`;
  const parts = [phase ?? '', holds, verdict].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(', ');
}

export function remoteStatusDocument(
  as: Preset | undefined,
  answers: readonly RemoteAnswer[],
  isShown: IsShown,
  contentsOf?: ContentsOf,
): StatusDocument {
  const unread = answers.flatMap(({ address, problems }) => problems.map((error) => ({ address, error })));
  const scopes = remoteStatuses(answers, isShown, contentsOf);
  return { schema: 'xds-inspect/status/v1', as: commonPreset(answers, as), ...worstVerdict(scopes), scopes, unread };
}

/** The problems of a process, or the reason why it has no clients. */
export function problemSentences({ address, problems, clients, isDead }: RemoteAnswer): string[] {
  const empty = !isDead && clients.length === 0 ? ['no xDS client runs in this process'] : [];
  return [...problems, ...empty].map((sentence) => `${address}: ${sentence}`);
}

/** Every client of every process: statuses and versions as sent, and the configuration that gRPC resolves from them. */
export function remoteStatuses(
  answers: readonly Pick<RemoteAnswer, 'address' | 'clients'>[],
  isShown: IsShown,
  contentsOf?: ContentsOf,
): ScopeStatus[] {
  return answers.flatMap(({ address, clients }) =>
    clients.map(({ client, validated, snapshot, verdicts }) => {
      const { scope, channels, metrics } = snapshot;
      const { clientScope, node } = validated.dump;
      const all = rowsOf(validated, contentsOf);
      return {
        scope,
        remote: { address, clientScope, node: node?.id ?? null, ...(client && { client }) },
        settled: all.every(({ status }) => status !== 'REQUESTED'),
        channels: channelStatuses(channels, verdicts),
        unknown: unknownTargets(validated, snapshot),
        authorities: [],
        counts: countStates(all.map((row) => ({ status: stateOf(row) }))),
        findings: [],
        resources: all.filter((row) => isShown({ ...row, status: stateOf(row) })),
        metrics,
      };
    }),
  );
}

/** The targets whose configuration cannot be resolved from CSDS, with the reason. */
export function unfollowedSentences({ address, clients }: RemoteAnswer): string[] {
  return clients.flatMap(({ validated, snapshot }) => {
    const { scope, channels } = snapshot;
    const targets = unknownTargets(validated, snapshot);
    if (targets.length === 0 && channels.length === 0) {
      return [`${address}${scope === '' ? '' : ` / ${scope}`}: no target can be resolved: it has no listener`];
    }
    return targets.map(({ target, reason }) => `${address} / ${target}: cannot be resolved: ${reason}`);
  });
}

function unknownTargets({ rejections }: ValidatedDump, { unfollowed }: FollowedDump): UnknownTarget[] {
  return unfollowed.map(({ target, type, name, isListed }) => {
    const reason = !isListed
      ? `it needs ${type} "${name}", which is not among its resources (its authority may be missing in the bootstrap)`
      : rejections.size > 0
        ? 'gRPC (C-core) would reject some of its resources'
        : 'CSDS does not show the contents of its resources';
    return { target, verdict: 'unknown', reason };
  });
}

import { type Status, statusName, UNKNOWN_CODE } from '../base/status.js';
import { draftCallback, type ErrorRecord, finalCallback } from '../core/error-record.js';
import type { ClientMetrics } from '../core/metrics.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { SyncStatus } from '../csds/dump.js';
import type { RecognizedClient } from '../csds/recognized-client.js';
import { isEveryServerDown } from '../engine/lost-servers.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { type FindingView, findingViews } from '../inspect/finding-view.js';
import { type InspectionResult, verdictsOfScope } from '../inspect/inspection-result.js';
import { resourceDetail } from '../inspect/resource-detail.js';
import type { ResourceFilter } from '../inspect/resource-filter.js';
import { byVerdict, type Cause, type Verdict, type VerdictWord, worst } from '../inspect/verdict/verdict.js';
import { byTypeAndName, shortType } from '../proto/resource-types.js';
import { timestamp } from '../proto/timestamp.js';
import type { StatusDocument } from './documents.js';
import { rpcsText } from './rpcs-text.js';
import { countStates, type StateCounts } from './worst-first.js';

/** A resource in the cache, as text and JSON show it. */
export interface ResourceStatus {
  type: string;
  typeUrl: string;
  name: string;
  authority: string;
  status: CacheEntry['status'];
  /** Of the version in use; null where there is none. */
  version: string | null;
  lastUpdated: string | null;
  /** The time of the first request. */
  askedSince: string | null;
  server: string | null;
  /** The number of watchers. */
  watchers: number;
  /** A short description of the version in use. */
  detail: string | null;
  error: ReturnType<typeof errorStatus> | null;
  /** Only in the CSDS response of a control plane: whether the client has the current version. */
  sync?: SyncStatus | null;
  /** Only of another client's resource: its contents in proto JSON. */
  contents?: unknown;
}

/** The verdict of a target and the state of its configuration. */
export interface ChannelStatus {
  target: string;
  verdict: VerdictWord;
  cause: Cause | null;
  /** The listeners that the control plane serves, requested because the listener of the target does not exist. */
  listeners: Verdict['listeners'];
  /** The outcome of RPCs in one line. */
  rpcs: string;
  /** Advice on the cause. */
  advice: string | null;
  /** How clients that connected earlier differ from one that starts now. */
  clients: string | null;
  dataPlaneAuthority: string | null;
  config: 'published' | 'withheld' | 'error';
  /** The error that RPCs fail with. */
  error: string | null;
  /** The time since which this configuration or error applies. */
  since: string;
  /** A newer configuration is incomplete. */
  pending: boolean;
}

/** A target whose configuration cannot be resolved from CSDS. */
export interface UnknownTarget {
  target: string;
  verdict: 'unknown';
  reason: string;
}

/** The current state of a client_scope. */
export interface ScopeStatus {
  scope: string;
  /** Only of a client in another process: its address, its client_scope as reported, and its node id. */
  remote?: { address: string; clientScope: string; node: string | null; client?: RecognizedClient };
  settled: boolean;
  channels: ChannelStatus[];
  /** Only of another process: targets whose configuration cannot be resolved from CSDS. */
  unknown?: UnknownTarget[];
  authorities: { name: string; servers: ReturnType<typeof serverStatus>[] }[];
  /** The number of resources in each state, listed or not. */
  counts: StateCounts;
  /** Protocol findings. */
  findings: FindingView[];
  resources: ResourceStatus[];
  metrics: ClientMetrics;
}

/** The state to show: a control plane may only know whether its client is in sync. */
export function stateOf({
  status,
  sync,
}: {
  status: CacheEntry['status'];
  sync?: SyncStatus | null | undefined;
}): CacheEntry['status'] | SyncStatus {
  return status === 'UNKNOWN' ? (sync ?? status) : status;
}

/** An authority of the scope has no usable server. */
export function isServerLost({ authorities }: ScopeStatus): boolean {
  return authorities.some(({ servers }) => isEveryServerDown(servers));
}

export function statusDocument(
  { as, origin, node, ...result }: InspectionResult,
  filter: ResourceFilter,
): StatusDocument {
  const scopes = scopeStatuses(result, result.ending === 'met', filter);
  return { schema: 'xds-inspect/status/v1', as, bootstrap: origin, node: node.id, ...worstVerdict(scopes), scopes };
}

/** The worst verdict of several scopes, with its cause. */
export function worstVerdict(scopes: readonly ScopeStatus[]): { verdict: VerdictWord; cause: Cause | null } {
  const [first] = scopes.flatMap(({ channels }) => channels).sort(byVerdict);
  const unknown = scopes.flatMap((scope) => scope.unknown ?? []).map(({ verdict }) => verdict);
  const verdict = worst([...(first === undefined ? [] : [first.verdict]), ...unknown]);
  return { verdict, cause: first?.verdict === verdict ? first.cause : null };
}

/** The scopes, worst verdict first; equal ones keep their order. */
export function scopeStatuses(
  result: Pick<InspectionResult, 'snapshot' | 'findings' | 'verdicts'>,
  isSettled: boolean,
  { isShown, isShownFinding }: ResourceFilter,
): ScopeStatus[] {
  const findings = result.findings.filter(isShownFinding);
  return result.snapshot
    .map((scope) => scopeStatus(scope, isSettled, verdictsOfScope(result.verdicts, scope), isShown, findings))
    .sort((a, b) => byVerdict(worstVerdict([a]), worstVerdict([b])));
}

/** The status of a scope, with resources by type (LDS, RDS, CDS, EDS) and name. */
export function scopeStatus(
  snapshot: ScopeSnapshot,
  settled: boolean,
  verdicts: readonly Verdict[],
  isShown: (resource: ResourceStatus) => boolean = () => true,
  findings: readonly ProtocolFinding[] = [],
): ScopeStatus {
  const entries = [...snapshot.entries].sort(byTypeAndName);
  return {
    scope: snapshot.scope,
    settled,
    channels: channelStatuses(snapshot.channels, verdicts),
    authorities: snapshot.authorities.map(({ name, servers }) => {
      const last = servers.findIndex(({ isActive }) => isActive);
      return { name, servers: servers.map((server) => serverStatus(server, last)) };
    }),
    counts: countStates(entries),
    findings: findingViews(findings.filter(({ scope }) => scope === snapshot.scope)),
    resources: entries.map(resourceStatus).filter(isShown),
    metrics: snapshot.metrics,
  };
}

/** The status of each target that has a verdict. */
export function channelStatuses(channels: ScopeSnapshot['channels'], verdicts: readonly Verdict[]): ChannelStatus[] {
  return channels.flatMap((channel) => {
    const verdict = verdicts.find(({ target }) => target === channel.target);
    return verdict === undefined ? [] : [channelStatus(channel, verdict)];
  });
}

export function channelStatus(channel: ScopeSnapshot['channels'][number], verdict: Verdict): ChannelStatus {
  const { target, authority, state, since, isWithheld } = channel;
  const config = { none: 'withheld', error: 'error', published: 'published', served: 'published' } as const;
  return {
    target,
    verdict: verdict.verdict,
    cause: verdict.cause,
    listeners: verdict.listeners,
    rpcs: rpcsText(verdict, channel),
    advice: verdict.advice,
    clients: verdict.clients,
    dataPlaneAuthority: authority ?? null,
    config: config[state.kind],
    error: state.kind === 'error' ? state.message : null,
    since: timestamp(since),
    pending: isWithheld,
  };
}

function serverStatus(
  { uri, priority, failure, isActive, retryAt }: ScopeSnapshot['authorities'][number]['servers'][number],
  last: number,
) {
  const state = failure === undefined ? (priority > last ? ('unused' as const) : ('ok' as const)) : ('failed' as const);
  return {
    uri,
    priority,
    state,
    active: isActive,
    error: failure === undefined ? null : statusText(failure),
    retryAt: retryAt === undefined ? null : timestamp(retryAt),
  };
}

export function resourceStatus(entry: CacheEntry): ResourceStatus {
  const { typeUrl, name, authority, status, resource, version, updatedAt, server, error } = entry;
  const isUsed = resource !== undefined;
  return {
    type: shortType(typeUrl),
    typeUrl,
    name,
    authority,
    status,
    version: isUsed ? version : null,
    lastUpdated: isUsed && updatedAt !== undefined ? timestamp(updatedAt) : null,
    // CSDS does not report it.
    askedSince: Number.isNaN(entry.requestedAt) ? null : timestamp(entry.requestedAt),
    server: isUsed ? (server ?? null) : null,
    watchers: entry.watchers.length,
    detail: isUsed ? resourceDetail(resource) : null,
    error: error === undefined ? null : errorStatus(error),
  };
}

export function errorStatus(error: ErrorRecord) {
  return {
    // Null if CSDS does not report it (R8.5); the same applies to the time.
    code: error.status.code === UNKNOWN_CODE ? null : statusName(error.status.code),
    message: error.status.message,
    version: error.version ?? null,
    at: Number.isNaN(error.at) ? null : timestamp(error.at),
    cause: error.cause,
    nature: error.nature,
    origin: error.origin,
    effect: error.effect,
    server: error.server,
    failOnDataErrors: error.failOnDataErrors,
    final: finalCallback(error),
    draft: draftCallback(error),
  };
}

/** `UNAVAILABLE: it is down` */
function statusText({ code, message }: Status): string {
  return `${statusName(code)}: ${message}`;
}

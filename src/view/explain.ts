import { statusName } from '../base/status.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { ClusterConfig, VirtualHost } from '../deps/config.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { addressText } from '../resources/common/ip-address.js';
import { matchText } from '../resources/match-text.js';
import { endpointsName } from '../resources/references.js';
import type { Call } from '../routing/match.js';
import { type PossiblePath, possiblePaths } from '../routing/paths.js';
import { type Prediction, predict } from '../routing/predict.js';
import { requestHash } from '../routing/request-hash.js';
import { effectiveTimeout, type TimeoutRules } from '../routing/timeout.js';
import { whyNot } from '../routing/why-not.js';
import { hintsFor } from './explain-hints.js';
import { resourceDetail } from './resource-detail.js';
import { timestamp } from './timestamp.js';

type Type = keyof typeof RESOURCE_TYPES;

/** One thing on the way from the target to the endpoints. */
interface ExplainStep {
  what: string;
  detail: string;
  isBad: boolean;
}

/** What an RPC would get now, and why. */
export interface ExplainView {
  scope: string;
  target: string;
  method: string;
  outcome: 'ok' | 'fails' | 'waits' | 'unknown';
  status: { code: string; message: string } | null;
  /** The first thing that stands in the way. */
  blockedBy: { type: Type; name: string; status: CacheEntry['status']; since: string; server: string | null } | null;
  route: { index: number; of: number; match: string; cluster: string | null; notTaken: string[] } | null;
  timeout: { value: number | null; from: string } | null;
  retries: { on: string[]; attempts: number } | null;
  /** All that may become of such a call, where chance decides, with how often it does. */
  paths: { share: number; route: number | null; cluster: string | null; outcome: string; message: string | null }[];
  /** What the call is hashed to, for policies that choose by it; null where nothing in it decides. */
  hash: string | null;
  /** Where it would connect. */
  addresses: string[];
  steps: ExplainStep[];
  hints: string[];
}

export interface ExplainOptions {
  call: Call;
  deadlineMs: number | undefined;
  rules: TimeoutRules;
  nodeId: string | undefined;
  random: () => number;
}

type Channel = ScopeSnapshot['channels'][number];

/** R9.3: gRPC makes at most five attempts. */
const MAX_ATTEMPTS = 5;

/** Walks from a target to its endpoints, up to the first thing that blocks. */
export function explainView(scope: ScopeSnapshot, channel: Channel, options: ExplainOptions): ExplainView {
  const { call, nodeId, random } = options;
  const prediction = predict(channel.state, call, { nodeId, random });
  const { selection, outcome } = prediction;
  const entryOf = (type: Type, name: string): CacheEntry | undefined => scope.entry(RESOURCE_TYPES[type], name);
  const action = selection?.kind === 'cluster' || selection?.kind === 'plugin' ? selection.action : undefined;
  const config = channel.state.kind === 'published' ? channel.state.config : undefined;
  const timeout = action && config && effectiveTimeout(action, config.listener, options.deadlineMs, options.rules);
  const blocked = blockedEntry(prediction, channel, scope, entryOf);
  const retry = action?.retryPolicy;
  return {
    scope: scope.scope,
    target: channel.target,
    method: call.path,
    outcome: outcome.kind === 'connects' ? 'ok' : outcome.kind,
    status: statusOf(prediction),
    blockedBy: blocked === undefined ? null : blockedView(blocked),
    route: config === undefined ? null : routeView(config.virtualHost, prediction, call),
    timeout: timeout === undefined ? null : { value: timeout.ms ?? null, from: timeout.from },
    retries:
      retry === undefined || retry.retryOn.length === 0
        ? null
        : { on: retry.retryOn, attempts: Math.min(MAX_ATTEMPTS, retry.numRetries + 1) },
    paths: config === undefined ? [] : possiblePaths(config, call, options.nodeId).map(pathView),
    hash: (action && requestHash(action, call, 0n))?.toString() ?? null,
    addresses: outcome.kind === 'connects' ? outcome.addresses.map(addressText) : [],
    steps: stepsOf(prediction, channel, call, entryOf),
    hints: hintsFor({ prediction, channel, scope, blocked, nodeId, call }),
  };
}

function pathView({ share, route, cluster, outcome }: PossiblePath): ExplainView['paths'][number] {
  return {
    share,
    route: route?.aside.index ?? null,
    cluster: cluster ?? null,
    outcome: outcome.kind === 'connects' ? 'ok' : outcome.kind,
    message: outcome.kind === 'fails' ? outcome.status.message : null,
  };
}

function statusOf({ outcome }: Prediction): ExplainView['status'] {
  if (outcome.kind === 'fails') return { code: statusName(outcome.status.code), message: outcome.status.message };
  return outcome.kind === 'connects' ? { code: 'OK', message: '' } : null;
}

function blockedView(entry: CacheEntry): NonNullable<ExplainView['blockedBy']> {
  const type = (Object.keys(RESOURCE_TYPES) as Type[]).find((short) => RESOURCE_TYPES[short] === entry.typeUrl);
  return {
    type: type as Type,
    name: entry.name,
    status: entry.status,
    since: timestamp(entry.error?.at ?? entry.askedAt),
    server: entry.error?.server ?? entry.server ?? null,
  };
}

/** The first resource on the way that is not as it should be. */
function blockedEntry(
  { outcome }: Prediction,
  channel: Channel,
  scope: ScopeSnapshot,
  entryOf: (type: Type, name: string) => CacheEntry | undefined,
): CacheEntry | undefined {
  if (outcome.kind === 'waits') return scope.entries.find(({ status }) => status === 'REQUESTED');
  if (outcome.kind !== 'fails') return undefined;
  const { blocked } = outcome;
  if (blocked.by === 'target') {
    const listener = entryOf('LDS', channel.listener);
    if (listener?.resource === undefined) return listener;
    return scope.entries.find(({ typeUrl, resource }) => typeUrl === RESOURCE_TYPES.RDS && resource === undefined);
  }
  if (blocked.by === 'cluster') return entryOf('CDS', blocked.cluster);
  if (blocked.by !== 'endpoints') return undefined;
  const name = endpointsOf(channel, blocked.cluster);
  return name === undefined ? undefined : entryOf('EDS', name);
}

/** The endpoint resource of a cluster in use; undefined where DNS has its endpoints. */
function endpointsOf({ state }: Channel, cluster: string): string | undefined {
  const config = state.kind === 'published' ? state.config.clusters.get(cluster) : undefined;
  return config?.kind === 'endpoints' ? endpointsName(cluster, config.cluster.discovery) : undefined;
}

function routeView({ routes }: VirtualHost, { selection }: Prediction, call: Call): ExplainView['route'] {
  const taken = selection === undefined || selection.kind === 'no route' ? undefined : selection.route;
  const before = taken === undefined ? routes : routes.slice(0, routes.indexOf(taken));
  const notTaken = before.map(({ aside, match }) => `route ${aside.index}: ${whyNot(match, call) ?? 'not drawn'}`);
  if (taken === undefined) return { index: -1, of: routes.length, match: '', cluster: null, notTaken };
  return {
    index: taken.aside.index,
    of: routes.length,
    match: matchText(taken.match),
    cluster: selection?.kind === 'cluster' ? selection.cluster : null,
    notTaken,
  };
}

function stepsOf(
  { selection, outcome }: Prediction,
  channel: Channel,
  call: Call,
  entryOf: (type: Type, name: string) => CacheEntry | undefined,
): ExplainStep[] {
  const step = (what: string, entry: CacheEntry | undefined): ExplainStep => ({
    what,
    detail: entryDetail(entry),
    isBad: entry?.resource === undefined,
  });
  const steps = [step(`listener ${channel.listener}`, entryOf('LDS', channel.listener))];
  if (channel.state.kind !== 'published') return steps;
  const { config } = channel.state;
  if (config.routeConfigName !== '') {
    steps.push(step(`routes ${config.routeConfigName}`, entryOf('RDS', config.routeConfigName)));
  }
  const { domains, routes } = config.virtualHost;
  steps.push({
    what: `virtual host ${domains.join(', ')}`,
    detail: `chosen by ${channel.authority ?? ''}`,
    isBad: false,
  });
  if (selection === undefined || selection.kind === 'no route') {
    steps.push({ what: 'no route', detail: `none of ${routes.length} takes ${call.path}`, isBad: true });
    return steps;
  }
  const place = `route ${selection.route.aside.index} of ${routes.length}`;
  steps.push({ what: place, detail: matchText(selection.route.match), isBad: selection.kind === 'no action' });
  if (selection.kind !== 'cluster') return steps;
  steps.push(step(`cluster ${selection.cluster}`, entryOf('CDS', selection.cluster)));
  const leaf = leafOf(outcome) ?? selection.cluster;
  if (leaf !== selection.cluster) steps.push(step(`its leaf ${leaf}`, entryOf('CDS', leaf)));
  const cluster = config.clusters.get(leaf);
  if (cluster?.kind !== 'endpoints') return steps;
  const name = endpointsOf(channel, leaf);
  if (name !== undefined) steps.push(step(`endpoints ${name}`, entryOf('EDS', name)));
  else steps.push({ what: 'endpoints by DNS', detail: dnsDetail(cluster), isBad: cluster.endpoints.note !== '' });
  const last = steps.at(-1);
  if (last !== undefined && outcome.kind === 'fails' && outcome.blocked.by === 'endpoints') last.isBad = true;
  return steps;
}

function leafOf(outcome: Prediction['outcome']): string | undefined {
  if (outcome.kind === 'connects') return outcome.leaf;
  return outcome.kind === 'fails' && 'cluster' in outcome.blocked ? outcome.blocked.cluster : undefined;
}

function dnsDetail({ endpoints }: ClusterConfig & { kind: 'endpoints' }): string {
  const addresses =
    endpoints.endpoints?.priorities.flat().flatMap((one) => one.endpoints.flatMap((e) => e.addresses)) ?? [];
  return endpoints.note === '' ? `${addresses.length} addresses` : endpoints.note;
}

function entryDetail(entry: CacheEntry | undefined): string {
  if (entry === undefined) return 'not asked for';
  const version = entry.resource === undefined ? '' : ` ${entry.version}`;
  const holds = entry.resource === undefined ? '' : ` · ${resourceDetail(entry.resource)}`;
  const error =
    entry.error === undefined ? '' : ` · ${statusName(entry.error.status.code)}: ${entry.error.status.message}`;
  return `${entry.status}${version}${holds}${error}`;
}

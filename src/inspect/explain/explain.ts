import { statusName } from '../../base/status.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { VirtualHost, XdsConfig } from '../../deps/config.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { addressText } from '../../resources/common/ip-address.js';
import { matchText } from '../../resources/match-text.js';
import { injectedFault } from '../../routing/fault.js';
import { delayBeyondTimeout } from '../../routing/fault-delay.js';
import { usableLocalities } from '../../routing/lb/usable-endpoints.js';
import type { Call } from '../../routing/match.js';
import { delayedPastTimeout } from '../../routing/outcome.js';
import { type PossiblePath, possiblePaths } from '../../routing/paths.js';
import { type Prediction, predict } from '../../routing/predict.js';
import { requestHash } from '../../routing/request-hash.js';
import { routeMismatch } from '../../routing/route-mismatch.js';
import { effectiveTimeout } from '../../routing/timeout.js';
import type { EntryOf, ExplainOptions, ExplainView } from './explanation.js';
import { hintsFor } from './hints.js';
import { serverView } from './server-view.js';
import { blockedView, endpointsOf, entriesOf, fallbackView, leafOf, stepsOf } from './steps.js';

/** R9.3: gRPC makes at most five attempts. */
const MAX_ATTEMPTS = 5;

/** Explains the outcome of an RPC: follows a target to its endpoints, up to the first blocking resource. */
export function explainView(scope: ScopeSnapshot, channel: ChannelSnapshot, options: ExplainOptions): ExplainView {
  const { authority } = channel;
  if (authority === undefined) return serverView(scope, channel, options);
  const { call, nodeId } = options;
  const prediction = applyTimeout(predict(channel.state, call, options), channel, options);
  const { selection, outcome } = prediction;
  const entryOf = entriesOf(scope);
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
    status: predictedStatus(prediction),
    blockedBy: blocked === undefined ? null : blockedView(blocked),
    route: config === undefined ? null : routeView(config.virtualHost, prediction, call),
    timeout: timeout === undefined ? null : { value: timeout.ms ?? null, from: timeout.from },
    delay: delayView(prediction, call),
    authority: { value: authority, rewrittenTo: rewrittenTo(prediction, config) },
    maxConcurrentRequests: limitOf(prediction, config),
    fallback: fallbackView(scope),
    retries:
      retry === undefined || retry.retryOn.length === 0
        ? null
        : { on: retry.retryOn, attempts: Math.min(MAX_ATTEMPTS, retry.numRetries + 1) },
    paths: config === undefined ? [] : possiblePaths(config, call, options).map(pathView),
    hash: (action && requestHash(action, call, 0n))?.toString() ?? null,
    addresses: outcome.kind === 'connects' ? outcome.addresses.map(addressText) : [],
    chains: [],
    steps: stepsOf(prediction, channel, call, entryOf),
    hints: hintsFor({ prediction, channel, scope, blocked, nodeId, call }),
  };
}

/** Fails an RPC that the fault filter delays beyond its timeout. */
function applyTimeout(prediction: Prediction, { state }: ChannelSnapshot, options: ExplainOptions): Prediction {
  const { selection } = prediction;
  if (selection?.kind !== 'cluster' || state.kind !== 'published') return prediction;
  const late = delayBeyondTimeout(selection.fault, options.call, selection.action, state.config.listener, options);
  if (late?.share !== 1) return prediction;
  return { selection, outcome: delayedPastTimeout() };
}

function delayView({ selection }: Prediction, call: Call): ExplainView['delay'] {
  const delay = selection?.kind === 'cluster' ? injectedFault(selection.fault, call).delay : undefined;
  return delay === undefined ? null : { value: delay.ms, share: delay.share };
}

function rewrittenTo({ selection, outcome }: Prediction, config: XdsConfig | undefined): string[] {
  const leaf = outcome.kind === 'connects' ? config?.clusters.get(outcome.leaf) : undefined;
  const isRewritten = selection?.kind === 'cluster' && selection.action.autoHostRewrite;
  if (!isRewritten || leaf?.kind !== 'endpoints') return [];
  const endpoints = usableLocalities(leaf).flatMap((localities) => localities.flatMap((one) => one.endpoints));
  return [...new Set(endpoints.map(({ hostname }) => hostname).filter((name) => name !== ''))];
}

function limitOf({ selection, outcome }: Prediction, config: XdsConfig | undefined): number | null {
  const name = leafOf(outcome) ?? (selection?.kind === 'cluster' ? selection.cluster : undefined);
  const cluster = name === undefined ? undefined : config?.clusters.get(name);
  return cluster?.kind === 'endpoints' ? cluster.cluster.maxConcurrentRequests : null;
}

function pathView({ share, route, cluster, outcome }: PossiblePath): ExplainView['paths'][number] {
  return {
    share,
    route: route?.displayOnly.index ?? null,
    cluster: cluster ?? null,
    outcome: outcome.kind === 'connects' ? 'ok' : outcome.kind,
    code: outcome.kind === 'connects' ? 'OK' : outcome.kind === 'fails' ? statusName(outcome.status.code) : null,
    message: outcome.kind === 'fails' ? outcome.status.message : null,
  };
}

function predictedStatus({ outcome }: Prediction): ExplainView['status'] {
  if (outcome.kind === 'fails') return { code: statusName(outcome.status.code), message: outcome.status.message };
  return outcome.kind === 'connects' ? { code: 'OK', message: '' } : null;
}

/** The first resource on the path that blocks the RPC. */
function blockedEntry(
  { outcome }: Prediction,
  channel: ChannelSnapshot,
  scope: ScopeSnapshot,
  entryOf: EntryOf,
): CacheEntry | undefined {
  const entries = channel.entries ?? scope.entries;
  if (outcome.kind === 'waits') return entries.find(({ status }) => status === 'REQUESTED');
  if (outcome.kind !== 'fails') return undefined;
  const { blocked } = outcome;
  if (blocked.by === 'target') {
    const listener = entryOf('LDS', channel.listener);
    if (listener?.resource === undefined) return listener;
    return entries.find(({ typeUrl, resource }) => typeUrl === RESOURCE_TYPES.RDS && resource === undefined);
  }
  if (blocked.by === 'cluster') return entryOf('CDS', blocked.cluster);
  if (blocked.by !== 'endpoints') return undefined;
  const name = endpointsOf(channel, blocked.cluster);
  return name === undefined ? undefined : entryOf('EDS', name);
}

function routeView({ routes }: VirtualHost, { selection }: Prediction, call: Call): ExplainView['route'] {
  const taken = selection === undefined || selection.kind === 'no route' ? undefined : selection.route;
  const before = taken === undefined ? routes : routes.slice(0, routes.indexOf(taken));
  const notTaken = before.map(({ displayOnly, match }) => ({
    index: displayOnly.index,
    reason: routeMismatch(match, call) ?? 'not selected by its fraction',
  }));
  if (taken === undefined) return { index: -1, of: routes.length, match: '', cluster: null, notTaken };
  const cluster = selection?.kind === 'cluster' ? selection.cluster : null;
  return { index: taken.displayOnly.index, of: routes.length, match: matchText(taken.match), cluster, notTaken };
}

/** Whether no predicted path of the RPC fails. */
export function isGood({ outcome, paths }: ExplainView): boolean {
  return [{ outcome }, ...paths].every((one) => one.outcome === 'ok' || one.outcome === 'unknown');
}

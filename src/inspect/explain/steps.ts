import { statusName } from '../../base/status.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ClusterConfig } from '../../deps/config.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { RESOURCE_TYPES, type ShortType, shortType } from '../../proto/resource-types.js';
import { timestamp } from '../../proto/timestamp.js';
import { matchText } from '../../resources/match-text.js';
import { endpointsName } from '../../resources/references.js';
import type { Call } from '../../routing/match.js';
import type { Prediction } from '../../routing/predict.js';
import { resourceDetail } from '../resource-detail.js';
import type { EntryOf, ExplainStep, ExplainView } from './explanation.js';

export function entriesOf(scope: ScopeSnapshot): EntryOf {
  return (type, name) => scope.entry(RESOURCE_TYPES[type], name);
}

/** A step for a resource, with its cache status. */
export function entryStep(what: string, entry: CacheEntry | undefined): ExplainStep {
  return { what, detail: entryDetail(entry), isBad: entry?.resource === undefined };
}

/** The steps from the listener to the endpoints, up to the first blocking resource. */
export function stepsOf(
  { selection, outcome }: Prediction,
  channel: ChannelSnapshot,
  call: Call,
  entryOf: EntryOf,
): ExplainStep[] {
  const steps = [entryStep(`listener ${channel.listener}`, entryOf('LDS', channel.listener))];
  if (channel.state.kind !== 'published') return [...steps, ...neededRoutes(channel, entryOf)];
  const { config } = channel.state;
  if (config.routeConfigName !== '') {
    steps.push(entryStep(`routes ${config.routeConfigName}`, entryOf('RDS', config.routeConfigName)));
  }
  const { domains, routes } = config.virtualHost;
  const chosen = `selected by authority ${channel.authority ?? ''}`;
  steps.push({ what: `virtual host ${domains.join(', ')}`, detail: chosen, isBad: false });
  if (selection === undefined || selection.kind === 'no route') {
    steps.push({ what: 'no route', detail: `none of ${routes.length} matches ${call.path}`, isBad: true });
    return steps;
  }
  const place = { index: selection.route.displayOnly.index, of: routes.length };
  const detail = matchText(selection.route.match);
  steps.push({ what: 'route', detail, isBad: selection.kind === 'no action', place });
  if (selection.kind !== 'cluster') return steps;
  steps.push(entryStep(`cluster ${selection.cluster}`, entryOf('CDS', selection.cluster)));
  const leaf = leafOf(outcome) ?? selection.cluster;
  if (leaf !== selection.cluster) steps.push(entryStep(`its leaf ${leaf}`, entryOf('CDS', leaf)));
  const cluster = config.clusters.get(leaf);
  if (cluster?.kind !== 'endpoints') return steps;
  const name = endpointsOf(channel, leaf);
  if (name !== undefined) steps.push(entryStep(`endpoints ${name}`, entryOf('EDS', name)));
  else steps.push({ what: 'endpoints by DNS', detail: dnsDetail(cluster), isBad: cluster.endpoints.note !== '' });
  const last = steps.at(-1);
  if (last !== undefined && outcome.kind === 'fails' && outcome.blocked.by === 'endpoints') last.isBad = true;
  return steps;
}

/** The step for the routes that the listener names, for a target without a configuration. */
function neededRoutes({ listener: name }: ChannelSnapshot, entryOf: EntryOf): ExplainStep[] {
  const found = entryOf('LDS', name)?.resource;
  const listener = found?.type === 'LDS' && found.value.kind === 'client' ? found.value : undefined;
  const routes = listener?.connectionManager?.routes;
  return routes?.kind === 'rds' ? [entryStep(`routes ${routes.name}`, entryOf('RDS', routes.name))] : [];
}

export function leafOf(outcome: Prediction['outcome']): string | undefined {
  if (outcome.kind === 'connects') return outcome.leaf;
  return outcome.kind === 'fails' && 'cluster' in outcome.blocked ? outcome.blocked.cluster : undefined;
}

function dnsDetail({ endpoints }: ClusterConfig & { kind: 'endpoints' }): string {
  const addresses =
    endpoints.endpoints?.priorities.flat().flatMap((one) => one.endpoints.flatMap((e) => e.addresses)) ?? [];
  return endpoints.note === '' ? `${addresses.length} addresses` : endpoints.note;
}

function entryDetail(entry: CacheEntry | undefined): string {
  if (entry === undefined) return 'not requested';
  const version = entry.resource === undefined ? '' : ` ${entry.version}`;
  const content = entry.resource === undefined ? '' : ` · ${resourceDetail(entry.resource)}`;
  const error =
    entry.error === undefined ? '' : ` · ${statusName(entry.error.status.code)}: ${entry.error.status.message}`;
  return `${entry.status}${version}${content}${error}`;
}

/** The name of the endpoint resource of a cluster; undefined if its endpoints come from DNS. */
export function endpointsOf({ state }: ChannelSnapshot, cluster: string): string | undefined {
  const config = state.kind === 'published' ? state.config.clusters.get(cluster) : undefined;
  return config?.kind === 'endpoints' ? endpointsName(cluster, config.cluster.discovery) : undefined;
}

export function blockedView(entry: CacheEntry): NonNullable<ExplainView['blockedBy']> {
  const since = entry.error?.at ?? entry.requestedAt;
  return {
    type: shortType(entry.typeUrl) as ShortType,
    name: entry.name,
    status: entry.status,
    since: Number.isNaN(since) ? null : timestamp(since),
    server: entry.error?.server || (entry.server ?? null),
  };
}

/** Authorities that use a fallback server. */
export function fallbackView({ authorities }: ScopeSnapshot): ExplainView['fallback'] {
  return authorities.flatMap(({ name, servers }) => {
    const active = servers.find(({ isActive }) => isActive);
    if (active === undefined || active.priority === 0) return [];
    const insteadOf = servers.filter(({ priority }) => priority < active.priority).map(({ uri }) => uri);
    return [{ authority: name, server: active.uri, priority: active.priority, insteadOf }];
  });
}

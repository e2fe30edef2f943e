import type { CacheEntry } from '../core/resource-cache.js';
import type { ClusterConfig, VirtualHost, XdsConfig } from '../deps/config.js';
import { resolutionNote } from '../deps/notes.js';
import { hasLostAuthority } from '../engine/lost-servers.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import { findingViews } from '../inspect/finding-view.js';
import type { InspectionResult, TargetResult } from '../inspect/inspection-result.js';
import type { Outcome } from '../inspect/outcome.js';
import { resourceDetail } from '../inspect/resource-detail.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { addressText, joinHostPort } from '../resources/common/ip-address.js';
import { matchText } from '../resources/match-text.js';
import { endpointsName } from '../resources/references.js';
import type { ConfigDocument } from './documents.js';
import { type ChannelStatus, channelStatus } from './status.js';
import { targetViews } from './target-views.js';

/** A resource of a configuration, with the version and the server that it came from. */
interface ResourceOrigin {
  name: string;
  /** Null for a part that is not a resource, such as addresses from DNS. */
  version: string | null;
  server: string | null;
}

export interface RouteView {
  /** Its position in the virtual host, including routes that gRPC ignores. */
  index: number;
  match: string;
  /** `route`, or another action: RPCs that match it fail. */
  action: string;
  clusters: { name: string; weight: number | null }[];
}

export type ClusterView = ResourceOrigin & {
  error: string | null;
  /** A short description of the cluster. */
  detail: string;
  /** The number of RPCs that use it. They keep it in the configuration even if no route names it. */
  heldBy: number;
  /** The leaves of an aggregate cluster, in order of preference. */
  leaves: string[] | null;
  endpoints: ReturnType<typeof endpointsView> | null;
  /** The note that gRPC appends to the error of an RPC that fails in this cluster. */
  resolutionNote: string;
};

/** The resolved configuration of one target. */
export interface ConfigView extends ChannelStatus {
  scope: string;
  listener: ReturnType<typeof listenerView> | null;
  /** Null if the listener contains the routes. */
  routeConfig: ResourceOrigin | null;
  virtualHost: ReturnType<typeof virtualHostView> | null;
  clusters: ClusterView[];
}

type Channel = ScopeSnapshot['channels'][number];

export function configDocument({
  as,
  targets,
  findings,
}: Pick<InspectionResult, 'as' | 'targets' | 'findings'>): ConfigDocument {
  const configs = targetViews(targets, configView);
  return { schema: 'xds-inspect/config/v1', as, configs, findings: findingViews(findings) };
}

export function configOutcome({ configs }: ConfigDocument, { snapshot }: InspectionResult): Outcome {
  return { isLost: snapshot.some(hasLostAuthority), verdicts: configs.map(({ verdict }) => verdict) };
}

/** The configuration that gRPC uses for a target, with versions and servers from the cache. */
export function configView({ scope, channel, nodeId, verdict }: TargetResult): ConfigView {
  const { state, listener } = channel;
  const findOrigin: FindOrigin = (type, name) => originOf(scope.entry(RESOURCE_TYPES[type], name), name);
  const config = state.kind === 'published' ? state.config : undefined;
  return {
    scope: scope.scope,
    ...channelStatus(channel, verdict),
    listener: config === undefined ? null : listenerView(config, findOrigin('LDS', listener)),
    routeConfig:
      config === undefined || config.routeConfigName === '' ? null : findOrigin('RDS', config.routeConfigName),
    virtualHost: config === undefined ? null : virtualHostView(config.virtualHost),
    clusters: config === undefined ? [] : clusterViews(config, channel, findOrigin, nodeId),
  };
}

type FindOrigin = (type: 'LDS' | 'RDS' | 'CDS' | 'EDS', name: string) => ResourceOrigin;

function originOf(entry: CacheEntry | undefined, name: string): ResourceOrigin {
  const isUsed = entry?.resource !== undefined;
  return { name, version: isUsed ? entry.version : null, server: isUsed ? (entry.server ?? null) : null };
}

function listenerView({ listener }: XdsConfig, origin: ResourceOrigin) {
  return {
    ...origin,
    filters: listener.filters.map(({ name }) => name),
    maxStreamDurationMs: listener.maxStreamDurationMs,
  };
}

function virtualHostView({ displayOnly, domains, routes }: VirtualHost) {
  return { name: displayOnly.name, domains: [...domains], routes: routes.map(routeView) };
}

function routeView({ displayOnly, match, action }: VirtualHost['routes'][number]): RouteView {
  const route = { index: displayOnly.index, match: matchText(match) };
  if (action.kind !== 'route') return { ...route, action: action.kind, clusters: [] };
  const { destination } = action;
  if (destination.kind === 'plugin') return { ...route, action: `plugin ${destination.name}`, clusters: [] };
  const clusters =
    destination.kind === 'cluster'
      ? [{ name: destination.name, weight: null }]
      : destination.clusters.map(({ name, weight }) => ({ name, weight }));
  return { ...route, action: 'route', clusters };
}

function clusterViews(config: XdsConfig, channel: Channel, findOrigin: FindOrigin, nodeId: string | undefined) {
  return [...config.clusters]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, cluster]): ClusterView => {
      const origin = findOrigin('CDS', name);
      return {
        ...origin,
        error: cluster.kind === 'error' ? cluster.message : null,
        detail: cluster.kind === 'error' ? '' : resourceDetail({ type: 'CDS', value: cluster.cluster }),
        heldBy: channel.held.get(name) ?? 0,
        leaves: cluster.kind === 'aggregate' ? [...cluster.leaves] : null,
        endpoints: cluster.kind === 'endpoints' ? endpointsView(name, cluster, findOrigin) : null,
        resolutionNote: resolutionNote(config, cluster, nodeId),
      };
    });
}

function endpointsView(
  name: string,
  { cluster, endpoints }: ClusterConfig & { kind: 'endpoints' },
  findOrigin: FindOrigin,
) {
  const { discovery } = cluster;
  const origin =
    discovery?.kind === 'logical dns'
      ? { name: joinHostPort(discovery.host, discovery.port), version: null, server: null }
      : findOrigin('EDS', endpointsName(name, discovery) ?? name);
  const priorities = endpoints.endpoints?.priorities.map((localities) =>
    localities.map(({ name: { region, zone, subZone }, weight, endpoints: list }) => ({
      region,
      zone,
      subZone,
      weight,
      endpoints: list.map(({ addresses, health, weight: own, hostname }) => ({
        addresses: addresses.map(addressText),
        health,
        weight: own,
        hostname,
      })),
    })),
  );
  return { ...origin, priorities: priorities ?? null };
}

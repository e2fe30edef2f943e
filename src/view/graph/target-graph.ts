import type { CacheEntry } from '../../core/resource-cache.js';
import type { XdsConfig } from '../../deps/config.js';
import { findVirtualHost } from '../../deps/virtual-host.js';
import type { TargetResult } from '../../inspect/inspection-result.js';
import { pathOf } from '../../inspect/report/path.js';
import type { VerdictWord } from '../../inspect/verdict/verdict.js';
import { RESOURCE_TYPES, type ShortType } from '../../proto/resource-types.js';
import { clusterNamesOf } from '../../resources/references.js';
import type { RouteConfigResource } from '../../resources/route-configuration.js';
import { ClusterNodes, clusterId } from './cluster-nodes.js';
import { type FullGraph, type GraphEdge, type GraphNode, type NodeState, stateRank } from './graph.js';
import { entryState, node, versionText } from './node.js';
import { hostNodes, routeNodes, usedHostId } from './route-nodes.js';
import { serverParts } from './server-graph.js';

interface Parts {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** The configuration of a target as a graph: all nodes, in the order of the configuration. */
export function targetGraph(target: TargetResult): FullGraph {
  const { channel } = target;
  const isServer = channel.authority === undefined;
  const start = startOf(target);
  const { state } = channel;
  const rest =
    state.kind === 'published'
      ? publishedParts(target, state.config)
      : state.kind === 'served'
        ? serverParts(target, state.listener)
        : unpublishedParts(target);
  return { isServer, nodes: [...start.nodes, ...rest.nodes], edges: [...start.edges, ...rest.edges] };
}

export const TARGET_ID = 'target';
export const LISTENER_ID = 'listener';

const VERDICT_STATES: Record<VerdictWord, NodeState> = {
  ok: 'ok',
  unknown: 'ok',
  waiting: 'waiting',
  partly: 'partly',
  fails: 'fails',
};

/** The target and its listener. */
function startOf({ scope, channel, verdict }: TargetResult): Parts {
  const { target, listener, authority } = channel;
  const nodes = [
    node({
      id: TARGET_ID,
      kind: 'target',
      column: 'target',
      title: target,
      subtitle: authority === undefined ? 'gRPC server' : `authority ${authority}`,
      state: VERDICT_STATES[verdict.verdict],
    }),
    resourceNode(LISTENER_ID, 'listener', 'LDS', listener, scope.entry(RESOURCE_TYPES.LDS, listener)),
  ];
  return { nodes, edges: [{ from: TARGET_ID, to: LISTENER_ID, label: '' }] };
}

function resourceNode(
  id: string,
  kind: 'listener' | 'route configuration',
  type: ShortType,
  name: string,
  entry: CacheEntry | undefined,
): GraphNode {
  return node({
    ...{ id, kind, column: 'target', resource: { type, name }, title: name },
    subtitle: `${type} ${versionText(entry)}`.trimEnd(),
    state: entryState(entry),
    isMissing: entry?.resource === undefined,
  });
}

export function routesId(name: string): string {
  return `routes ${name}`;
}

function routesParts({ scope }: TargetResult, name: string): Parts {
  const id = routesId(name);
  const routes = resourceNode(id, 'route configuration', 'RDS', name, scope.entry(RESOURCE_TYPES.RDS, name));
  return { nodes: [routes], edges: [{ from: LISTENER_ID, to: id, label: '' }] };
}

function publishedParts(target: TargetResult, config: XdsConfig): Parts {
  const { routeConfigName: name, virtualHost, routeConfig } = config;
  const { channel, verdict } = target;
  const before = name === '' ? { nodes: [], edges: [] } : routesParts(target, name);
  const resource = resourceOf(name, channel.listener);
  const hostState = virtualHost.routes.length === 0 ? 'fails' : 'ok';
  const hosts = hostNodes(routeConfig.virtualHosts, virtualHost, channel.authority ?? '', resource, hostState);
  const routes = routeNodes(config, verdict.routes, resource);
  const clusters = new ClusterNodes(target, config, new Set(clusterNamesOf(virtualHost)));
  return {
    nodes: [...before.nodes, ...hosts, ...routes.nodes, ...clusters.nodes],
    edges: [
      ...before.edges,
      { from: name === '' ? LISTENER_ID : routesId(name), to: usedHostId(config), label: '' },
      ...routes.edges,
      ...clusters.edges,
    ],
  };
}

/** Without a configuration: the path up to the resource that is missing. */
function unpublishedParts(target: TargetResult): Parts {
  const parts: Parts = { nodes: [], edges: [] };
  let last = LISTENER_ID;
  const { routesName, config } = cachedRoutes(target);
  const routes = routesName === undefined ? [] : routesParts(target, routesName).nodes;
  for (const next of [routes, cachedHosts(target, routesName, config), missingNodes(target)]) {
    const [first] = next;
    if (first === undefined) continue;
    parts.nodes.push(...next);
    parts.edges.push({ from: last, to: first.id, label: '' });
    last = first.id;
  }
  return parts;
}

/** The routes that the cached listener names or contains. */
function cachedRoutes({ scope, channel }: TargetResult) {
  const found = scope.entry(RESOURCE_TYPES.LDS, channel.listener)?.resource;
  const listener = found?.type === 'LDS' && found.value.kind === 'client' ? found.value : undefined;
  const routes = listener?.connectionManager?.routes;
  if (routes?.kind !== 'rds') return { routesName: undefined, config: routes?.config };
  const entry = scope.entry(RESOURCE_TYPES.RDS, routes.name)?.resource;
  return { routesName: routes.name, config: entry?.type === 'RDS' ? entry.value : undefined };
}

/** The virtual host for the target first; all of them if none matches. */
function cachedHosts(
  { channel }: TargetResult,
  routesName: string | undefined,
  config: RouteConfigResource | undefined,
): GraphNode[] {
  const { authority, listener } = channel;
  if (config === undefined || authority === undefined) return [];
  const resource = resourceOf(routesName ?? '', listener);
  const hosts = hostNodes(config.virtualHosts, findVirtualHost(config, authority), authority, resource, 'waiting');
  return hosts.sort((a, b) => stateRank(a.state) - stateRank(b.state));
}

/** The cluster or the endpoints without which there is no configuration. */
function missingNodes(target: TargetResult): GraphNode[] {
  const state = target.verdict.verdict === 'fails' ? 'fails' : 'waiting';
  return pathOf(target).flatMap(({ kind, name, isFault }) => {
    if (!isFault || (kind !== 'cluster' && kind !== 'endpoints')) return [];
    const isCluster = kind === 'cluster';
    const type = isCluster ? 'CDS' : 'EDS';
    const subtitle = versionText(target.scope.entry(RESOURCE_TYPES[type], name));
    const rest = { title: name, subtitle, resource: { type, name }, state, isMissing: true } as const;
    const id = isCluster ? clusterId(name) : `no endpoints ${name}`;
    return [
      isCluster
        ? node({ id, kind, column: 'clusters', ...rest })
        : node({ id, kind: 'no endpoints', column: 'endpoints', ...rest }),
    ];
  });
}

/** Routes are in their own resource, or in the listener. */
function resourceOf(routesName: string, listener: string): { type: 'LDS' | 'RDS'; name: string } {
  return routesName === '' ? { type: 'LDS', name: listener } : { type: 'RDS', name: routesName };
}

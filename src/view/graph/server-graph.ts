import { countText } from '../../base/count-text.js';
import type { ServedChain } from '../../inspect/explain/explanation.js';
import type { TargetResult } from '../../inspect/inspection-result.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { FilterChain } from '../../resources/filter-chain.js';
import type { ListenerResource } from '../../resources/listener.js';
import { headerText } from '../../resources/match-text.js';
import type { RouteConfigResource } from '../../resources/route-configuration.js';
import type { GraphEdge, GraphNode } from './graph.js';
import { joined, node, versionText } from './node.js';
import { pathTitle } from './route-nodes.js';

type Source = NonNullable<GraphNode['resource']>;

/** The filter chains of a gRPC server, and the routes of each (A36). */
export function serverParts(
  target: TargetResult,
  listener: ListenerResource,
): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  if (listener.kind !== 'server') return { nodes, edges };
  const chains = [...listener.filterChains, ...(listener.defaultFilterChain ? [listener.defaultFilterChain] : [])];
  for (const [i, chain] of chains.entries()) {
    const outcome = target.verdict.routes[i];
    const { config, resource, text } = routesOf(target, chain);
    const id = `filter chain ${i}`;
    nodes.push(
      node({
        ...{ id, kind: 'filter chain', column: 'hosts', resource, index: i },
        title: outcome?.match ?? `filter chain ${i + 1}`,
        subtitle: joined(
          outcome?.outcome === 'ok' ? 'accepts RPCs' : 'accepts no RPC',
          chain.tls === undefined ? '' : 'TLS',
          text,
        ),
        state: outcome === undefined ? 'waiting' : outcome.outcome === 'ok' ? 'ok' : 'fails',
        isMissing: config === undefined,
      }),
    );
    edges.push({ from: 'listener', to: id, label: '' });
    if (config !== undefined) addRoutes(config, resource, i, nodes, edges);
  }
  return { nodes, edges };
}

function servedRouteId(chain: number, host: number, index: number): string {
  return `route ${chain} ${host} ${index}`;
}

/** The ids of the filter chains that accept an RPC, and of its route in each. */
export function servedPath(target: TargetResult, chains: readonly ServedChain[]): string[] {
  const { state } = target.channel;
  if (state.kind !== 'served' || state.listener.kind !== 'server') return [];
  const { filterChains, defaultFilterChain } = state.listener;
  return chains.flatMap(({ outcome, steps }, i) => {
    const chain = filterChains[i] ?? defaultFilterChain;
    if (outcome === 'fails' || chain === undefined) return [];
    const text = steps.find(({ what }) => what.startsWith('virtual host '))?.what;
    const hosts = routesOf(target, chain).config?.virtualHosts ?? [];
    const host = hosts.findIndex(({ domains }) => text === `virtual host ${domains.join(', ')}`);
    const route = steps.find(({ place }) => place !== undefined)?.place;
    return [`filter chain ${i}`, ...(host >= 0 && route !== undefined ? [servedRouteId(i, host, route.index)] : [])];
  });
}

function routesOf({ scope, channel }: TargetResult, { connectionManager }: FilterChain) {
  const routes = connectionManager?.routes;
  const resource: Source = { type: 'LDS', name: channel.listener };
  if (routes === undefined) return { config: undefined, resource, text: 'no routes' };
  if (routes.kind === 'inline') return { config: routes.config, resource, text: 'routes in the listener' };
  const entry = scope.entry(RESOURCE_TYPES.RDS, routes.name);
  return {
    config: entry?.resource?.type === 'RDS' ? entry.resource.value : undefined,
    resource: { type: 'RDS', name: routes.name } as Source,
    text: `routes ${routes.name}: ${versionText(entry)}`,
  };
}

function addRoutes(
  { virtualHosts }: RouteConfigResource,
  resource: Source,
  chain: number,
  nodes: GraphNode[],
  edges: GraphEdge[],
): void {
  for (const [h, { domains, routes }] of virtualHosts.entries()) {
    for (const { displayOnly, match, action } of routes) {
      const id = servedRouteId(chain, h, displayOnly.index);
      const isServed = action.kind === 'non-forwarding';
      const [first = ''] = domains;
      const hosts = domains.length > 1 ? `${first} and ${countText(domains.length - 1, 'more domain')}` : first;
      const headers = match.headers.flatMap((header) => (header === undefined ? [] : [headerText(header)]));
      nodes.push(
        node({
          ...{ id, kind: 'route', column: 'routes', resource, index: displayOnly.index },
          title: pathTitle(match),
          subtitle: joined(
            isServed ? 'accepted' : 'unsupported action',
            hosts === '*' ? '' : `for ${hosts}`,
            ...headers,
          ),
          note: `${displayOnly.index + 1} of ${routes.length}`,
          state: isServed ? 'ok' : 'fails',
        }),
      );
      edges.push({ from: `filter chain ${chain}`, to: id, label: '' });
    }
  }
}

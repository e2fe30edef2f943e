import type { VirtualHost, XdsConfig } from '../../deps/config.js';
import { findVirtualHost } from '../../deps/virtual-host.js';
import { percentText } from '../../inspect/verdict/phrases.js';
import type { RouteOutcome } from '../../inspect/verdict/verdict.js';
import { headerText, matchText } from '../../resources/match-text.js';
import type { RouteMatch } from '../../resources/route-match.js';
import { clusterId } from './cluster-nodes.js';
import type { GraphEdge, GraphNode, NodeState } from './graph.js';
import { joined, node } from './node.js';

type Route = VirtualHost['routes'][number];
type Source = NonNullable<GraphNode['resource']>;

/** The virtual hosts of a route configuration. `used` is the one that the authority of the target selects. */
export function hostNodes(
  hosts: readonly VirtualHost[],
  used: VirtualHost | undefined,
  authority: string,
  resource: Source,
  state: NodeState,
): GraphNode[] {
  return hosts.map((host, i) => {
    const isUsed = host === used;
    const match = isUsed ? matchingDomain(host, authority) : undefined;
    return node({
      id: hostId(host, i),
      kind: 'virtual host',
      column: 'hosts',
      resource,
      title: host.displayOnly.name || '(no name)',
      subtitle: isUsed ? `matches ${authority}` : used === undefined ? 'no domain matches' : 'not used by this target',
      state: isUsed ? state : used === undefined ? 'fails' : 'unused',
      domains: host.domains.map((name) => ({ name, isMatch: name === match })),
    });
  });
}

/** Names of virtual hosts need not be unique. */
function hostId({ displayOnly }: VirtualHost, i: number): string {
  return `virtual host ${displayOnly.name || `number ${i}`}`;
}

export function usedHostId({ routeConfig, virtualHost }: XdsConfig): string {
  return hostId(virtualHost, routeConfig.virtualHosts.indexOf(virtualHost));
}

function matchingDomain(host: VirtualHost, authority: string): string | undefined {
  const each = host.domains.map((domain) => ({ ...host, domains: [domain] }));
  return findVirtualHost({ virtualHosts: each, plugins: new Map() }, authority)?.domains[0];
}

/** The routes of the virtual host in use, with the edges from it and to the clusters. */
export function routeNodes(
  config: XdsConfig,
  outcomes: readonly RouteOutcome[],
  resource: Source,
): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const { routes } = config.virtualHost;
  const edges: GraphEdge[] = [];
  const host = usedHostId(config);
  const ids = routeIds(config.virtualHost);
  const nodes = routes.map((route, i) => {
    const outcome = outcomes[i];
    const { index } = route.displayOnly;
    const id = ids.get(index) as string;
    edges.push({ from: host, to: id, label: '' });
    const shares = sharesOf(route);
    for (const { name, share } of shares)
      edges.push({ from: id, to: clusterId(name), label: share === 1 ? '' : percentText(share) });
    return node({
      id,
      kind: 'route',
      column: 'routes',
      resource,
      title: pathTitle(route.match),
      subtitle: joined(
        outcome === undefined ? '' : outcomeText(outcome),
        ...conditions(route),
        actionText(route, shares),
      ),
      note: `${index + 1} of ${Math.max(routes.length, (routes.at(-1)?.displayOnly.index ?? 0) + 1)}`,
      state: outcome === undefined ? 'waiting' : STATES[outcome.outcome],
      index,
    });
  });
  return { nodes, edges };
}

const knownIds = new WeakMap<VirtualHost, ReadonlyMap<number, string>>();

/** The ids of the routes by their position. The match identifies a route, since its position changes with other routes. */
export function routeIds(host: VirtualHost): ReadonlyMap<number, string> {
  const known = knownIds.get(host);
  if (known !== undefined) return known;
  const ids = new Map<number, string>();
  const counts = new Map<string, number>();
  for (const { displayOnly, match } of host.routes) {
    const text = matchText(match);
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    ids.set(displayOnly.index, `route ${count} ${text}`);
  }
  knownIds.set(host, ids);
  return ids;
}

const STATES: Record<RouteOutcome['outcome'], NodeState> = {
  fails: 'fails',
  partly: 'partly',
  waiting: 'waiting',
  ok: 'ok',
  'never-matches': 'unused',
};

/** The clusters of a route with their shares of its RPCs. Routes may name a cluster twice. */
function sharesOf({ action }: Route): { name: string; share: number }[] {
  if (action.kind !== 'route' || action.destination.kind === 'plugin') return [];
  const { destination } = action;
  if (destination.kind === 'cluster') return [{ name: destination.name, share: 1 }];
  const sum = destination.clusters.reduce((total, { weight }) => total + weight, 0);
  const shares = new Map<string, number>();
  for (const { name, weight } of destination.clusters) shares.set(name, (shares.get(name) ?? 0) + weight / sum);
  return [...shares].map(([name, share]) => ({ name, share }));
}

export function pathTitle({ path }: RouteMatch): string {
  if (path.kind === 'prefix' && (path.text === '' || path.text === '/')) return 'any path';
  return path.kind === 'prefix' ? `${path.text}*` : path.text;
}

/** What a call has to fulfil besides the path. */
function conditions({ match }: Route): string[] {
  const { path, headers, fraction } = match;
  return [
    path.kind === 'regex' ? 'regex' : '',
    ...headers.flatMap((header) => (header === undefined ? [] : [headerText(header).replace(/^header /, '')])),
    fraction === undefined ? '' : `${percentText(fraction / 1_000_000)} of RPCs`,
  ];
}

function outcomeText({ outcome, status, failingShare }: RouteOutcome): string {
  switch (outcome) {
    case 'ok':
      return 'OK';
    case 'waiting':
      return 'queued';
    case 'never-matches':
      return 'never matched';
    case 'partly':
      return `${status?.code ?? 'fails'} for ${percentText(failingShare)}`;
    case 'fails':
      return status?.code ?? 'fails';
  }
}

function actionText({ action }: Route, shares: readonly { share: number }[]): string {
  if (action.kind === 'non-forwarding') return 'non_forwarding_action';
  if (action.kind === 'unknown') return action.field || 'no action';
  if (action.destination.kind === 'plugin') return `plugin ${action.destination.name}`;
  return shares.length > 1 ? `${shares.length} clusters` : '';
}

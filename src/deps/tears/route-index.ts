import { matchText } from '../../resources/match-text.js';
import type { VirtualHost } from '../config.js';
import type { ResourceLookup } from '../graph.js';
import { routeText, type TornRoute } from './tear.js';

/** Limits the routes that a tear lists. */
const MAX_ROUTES = 20;

/** An index of routes by the clusters that they lead to, directly or through aggregates. */
export class RouteIndex {
  readonly #byCluster = new Map<string, TornRoute[]>();

  constructor(routes: VirtualHost['routes'], lookup: ResourceLookup) {
    const reachableFrom = new Map<string, ReadonlySet<string>>();
    for (const { displayOnly, match, action } of routes) {
      if (action.kind !== 'route' || action.destination.kind === 'plugin') continue;
      const { destination } = action;
      const all = destination.kind === 'cluster' ? [{ name: destination.name, weight: 1 }] : destination.clusters;
      const sum = all.reduce((total, { weight }) => total + weight, 0);
      const shares = new Map<string, number>();
      for (const { name, weight } of all) {
        const reached = reachableFrom.get(name) ?? reachable(name, lookup);
        reachableFrom.set(name, reached);
        for (const cluster of reached) shares.set(cluster, (shares.get(cluster) ?? 0) + weight / sum);
      }
      for (const [cluster, share] of shares)
        this.#add(cluster, { index: displayOnly.index, match: matchText(match), share });
    }
  }

  routesTo(clusters: readonly string[]): TornRoute[] {
    const routes = clusters.flatMap((cluster) => this.#byCluster.get(cluster) ?? []);
    return [...new Map(routes.map((route) => [routeText(route), route])).values()];
  }

  #add(cluster: string, destination: TornRoute): void {
    const known = this.#byCluster.get(cluster);
    if (known === undefined) this.#byCluster.set(cluster, [destination]);
    else if (known.length < MAX_ROUTES) known.push(destination);
  }
}

/** A cluster and all clusters below it. */
function reachable(name: string, lookup: ResourceLookup): ReadonlySet<string> {
  const clusters = new Set([name]);
  for (const one of clusters) {
    const state = lookup.cluster(one);
    const discovery = state?.kind === 'known' ? state.cluster.discovery : undefined;
    if (discovery?.kind === 'aggregate') for (const child of discovery.clusters) clusters.add(child);
  }
  return clusters;
}

import { matchText } from '../../resources/match-text.js';
import type { VirtualHost } from '../config.js';
import type { ResourceLookup } from '../graph.js';
import { routeText, type TornRoute } from './tear.js';

/** Longer lists help nobody. */
const MAX_ROUTES = 20;

/** Which routes lead to which clusters, also through aggregates. Made once for a set of routes. */
export class RouteIndex {
  readonly #byCluster = new Map<string, TornRoute[]>();

  constructor(routes: VirtualHost['routes'], lookup: ResourceLookup) {
    const below = new Map<string, ReadonlySet<string>>();
    for (const { displayOnly, match, action } of routes) {
      if (action.kind !== 'route' || action.destination.kind === 'plugin') continue;
      const { destination } = action;
      const all = destination.kind === 'cluster' ? [{ name: destination.name, weight: 1 }] : destination.clusters;
      const sum = all.reduce((total, { weight }) => total + weight, 0);
      const shares = new Map<string, number>();
      for (const { name, weight } of all) {
        const reached = below.get(name) ?? reachable(name, lookup);
        below.set(name, reached);
        for (const cluster of reached) shares.set(cluster, (shares.get(cluster) ?? 0) + weight / sum);
      }
      for (const [cluster, share] of shares)
        this.#add(cluster, { index: displayOnly.index, match: matchText(match), share });
    }
  }

  leadingTo(clusters: readonly string[]): TornRoute[] {
    const found = clusters.flatMap((cluster) => this.#byCluster.get(cluster) ?? []);
    return [...new Map(found.map((route) => [routeText(route), route])).values()];
  }

  #add(cluster: string, destination: TornRoute): void {
    const known = this.#byCluster.get(cluster);
    if (known === undefined) this.#byCluster.set(cluster, [destination]);
    else if (known.length < MAX_ROUTES) known.push(destination);
  }
}

/** A cluster with all that it leads to. */
function reachable(name: string, lookup: ResourceLookup): ReadonlySet<string> {
  const found = new Set([name]);
  for (const one of found) {
    const state = lookup.cluster(one);
    const discovery = state?.kind === 'known' ? state.cluster.discovery : undefined;
    if (discovery?.kind === 'aggregate') for (const child of discovery.clusters) found.add(child);
  }
  return found;
}

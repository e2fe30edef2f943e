import { matchText } from '../../resources/match-text.js';
import type { VirtualHost } from '../config.js';
import type { Lookup } from '../graph.js';

/** Longer lists help nobody. */
const MAX_ROUTES = 20;

/** Routes that send RPCs to one of these clusters, also through aggregates, with their share of them. */
export function routesLeadingTo(
  routes: VirtualHost['routes'],
  clusters: ReadonlySet<string>,
  lookup: Lookup,
): string[] {
  const known = new Map<string, boolean>();
  const found: string[] = [];
  for (const { aside, match, action } of routes) {
    if (action.kind !== 'route' || action.destination.kind === 'plugin') continue;
    const all =
      action.destination.kind === 'cluster'
        ? [{ name: action.destination.name, weight: 1 }]
        : action.destination.clusters;
    const hit = all.filter(({ name }) => leadsTo(name, clusters, lookup, known));
    if (hit.length === 0) continue;
    const sum = (list: readonly { weight: number }[]): number => list.reduce((total, { weight }) => total + weight, 0);
    const share = hit.length === all.length ? '' : `, ${Math.round((100 * sum(hit)) / sum(all))} %`;
    found.push(`${aside.index}: ${matchText(match)}${share}`);
    if (found.length === MAX_ROUTES) break;
  }
  return found;
}

function leadsTo(name: string, clusters: ReadonlySet<string>, lookup: Lookup, known: Map<string, boolean>): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  // Whoever comes by here again on the way down is in a cycle.
  known.set(name, clusters.has(name));
  const state = lookup.cluster(name);
  const children =
    state?.kind === 'known' && state.cluster.discovery?.kind === 'aggregate' ? state.cluster.discovery.clusters : [];
  const isOnTheWay = clusters.has(name) || children.some((child) => leadsTo(child, clusters, lookup, known));
  known.set(name, isOnTheWay);
  return isOnTheWay;
}

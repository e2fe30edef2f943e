import type { ResourceLookup } from './graph.js';

/** Aggregate clusters may be nested this deep below the first one. */
const MAX_DEPTH = 15;

/**
 * The leaves of a cluster in the order of failover, including clusters with an error, each as often as it is named;
 * undefined if aggregate clusters are nested too deep.
 */
export function leafClusters(name: string, lookup: ResourceLookup, depth = 0): string[] | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const state = lookup.cluster(name);
  const discovery = state?.kind === 'known' ? state.cluster.discovery : undefined;
  if (discovery?.kind !== 'aggregate') return [name];
  const leaves: string[] = [];
  for (const child of discovery.clusters) {
    const below = leafClusters(child, lookup, depth + 1);
    if (below === undefined) return undefined;
    leaves.push(...below);
  }
  return leaves;
}

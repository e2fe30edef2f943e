import type { XdsConfig } from '../config.js';

/** Filters that routes override and the listener lacks: one of the two was updated without the other. */
export function skewedFilters({ listener, virtualHost }: XdsConfig): string[] {
  const known = new Set(listener.filters.map(({ name }) => name));
  const named = new Set<string>(virtualHost.overrides.keys());
  for (const { overrides, action } of virtualHost.routes) {
    for (const name of overrides.keys()) named.add(name);
    if (action.kind !== 'route' || action.destination.kind !== 'weighted') continue;
    for (const cluster of action.destination.clusters) for (const name of cluster.overrides.keys()) named.add(name);
  }
  return [...named].filter((name) => !known.has(name));
}

import type { XdsConfig } from '../config.js';

/** Filters that routes override but that are not in the listener: one of the two was updated without the other. */
export function skewedFilters({ listener, virtualHost }: XdsConfig): string[] {
  const inListener = new Set(listener.filters.map(({ name }) => name));
  const overridden = new Set<string>(virtualHost.overrides.keys());
  for (const { overrides, action } of virtualHost.routes) {
    for (const name of overrides.keys()) overridden.add(name);
    if (action.kind !== 'route' || action.destination.kind !== 'weighted') continue;
    for (const cluster of action.destination.clusters)
      for (const name of cluster.overrides.keys()) overridden.add(name);
  }
  return [...overridden].filter((name) => !inListener.has(name));
}

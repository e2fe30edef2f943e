import type { Tear } from '../../deps/tears/tear.js';

/** Advice for the control plane: make before break. */
export function adviceOn({ kind, filters }: Pick<Tear, 'kind' | 'filters'>): string {
  switch (kind) {
    case 'dangling-cluster':
      return 'Serve the cluster and its endpoints before a route names it; remove it only when no route names it.';
    case 'dangling-endpoints':
      return 'Serve the endpoints before the routes name their cluster; remove them after the cluster.';
    case 'listener-route-skew':
      return filters.length === 0
        ? 'Serve the new routes before the listener names them; remove the old ones afterwards.'
        : 'Add a filter to the listener before a route overrides it; remove it only when no route overrides it.';
    case 'removed-in-use':
      return 'Remove a resource only after no other resource names it.';
    case 'mixed-servers':
      return 'Serve the same resources from the primary and the fallback server.';
    case 'flap':
      return 'Find out why the primary xDS server fails and recovers.';
  }
}

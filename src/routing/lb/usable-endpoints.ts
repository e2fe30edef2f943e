import type { ClusterConfig } from '../../deps/config.js';
import type { EndpointResource } from '../../resources/endpoint.js';

type Priorities = EndpointResource['priorities'];
type Locality = Priorities[number][number];

/**
 * The localities of each priority with the endpoints that are usable for new RPCs. A DRAINING endpoint is usable only for
 * the sessions that are bound to it (A55). Without endpoints the result is one empty priority.
 */
export function usableLocalities({ endpoints }: ClusterConfig & { kind: 'endpoints' }): Priorities {
  const priorities = endpoints.endpoints?.priorities ?? [];
  if (priorities.length === 0) return [[]];
  if (!priorities.some((localities) => localities.some(isDraining))) return priorities;
  return priorities.map((localities) =>
    localities.map((locality) => ({
      ...locality,
      endpoints: locality.endpoints.filter(isUsable),
    })),
  );
}

/** The number of endpoints that are usable for new RPCs. Counts without a copy: a locality can have a million endpoints. */
export function usableCount(endpoints: Locality['endpoints']): number {
  return endpoints.reduce((sum, endpoint) => (isUsable(endpoint) ? sum + 1 : sum), 0);
}

function isUsable({ health }: Locality['endpoints'][number]): boolean {
  return health !== 'draining';
}

function isDraining({ endpoints }: Locality): boolean {
  return !endpoints.every(isUsable);
}

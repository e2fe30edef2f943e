import type { ClusterConfig } from '../../deps/config.js';
import type { EndpointResource } from '../../resources/endpoint.js';

type Priorities = EndpointResource['priorities'];

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
      endpoints: locality.endpoints.filter(({ health }) => health !== 'draining'),
    })),
  );
}

function isDraining({ endpoints }: Priorities[number][number]): boolean {
  return endpoints.some(({ health }) => health === 'draining');
}

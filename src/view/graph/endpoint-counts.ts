import { HealthStatus } from '../../proto/generated/envoy.config.core.v3.js';
import { ClusterLoadAssignment } from '../../proto/generated/envoy.config.endpoint.v3.js';
import { decode } from '../../proto/message-type.js';
import type { EndpointResource } from '../../resources/endpoint.js';
import { usableCount } from '../../routing/lb/usable-endpoints.js';
import type { EndpointCounts, EndpointHealth } from './graph.js';

type Locality = EndpointResource['priorities'][number][number];

/** The order in which endpoints are drawn. */
const HEALTH: readonly EndpointHealth[] = ['healthy', 'unknown', 'draining', 'unhealthy'];

/** Counts the endpoints of a locality by health. `ignored`: the number of endpoints that gRPC ignores as unhealthy. */
export function endpointCounts({ endpoints }: Locality, ignored: number): EndpointCounts {
  const counts = new Map<EndpointHealth, number>([['unhealthy', ignored]]);
  for (const { health } of endpoints) counts.set(health, (counts.get(health) ?? 0) + 1);
  return {
    total: endpoints.length + ignored,
    usable: usableCount(endpoints),
    byHealth: HEALTH.flatMap((health) => {
      const count = counts.get(health) ?? 0;
      return count === 0 ? [] : [[health, count] as const];
    }),
  };
}

/** The number of unhealthy endpoints in each locality, including localities that have no others. */
export type Unhealthy = ReadonlyMap<string, number>;

const NONE: Unhealthy = new Map();
const known = new WeakMap<Uint8Array, Unhealthy>();

/** gRPC drops unhealthy endpoints when it reads a resource, so this counts them in the bytes that were received. */
export function unhealthyIn(bytes: Uint8Array | undefined): Unhealthy {
  if (bytes === undefined) return NONE;
  const found = known.get(bytes) ?? countUnhealthy(bytes);
  known.set(bytes, found);
  return found;
}

function countUnhealthy(bytes: Uint8Array): Unhealthy {
  const sent = decode(ClusterLoadAssignment, bytes);
  if (!sent.ok) return NONE;
  const counts = new Map<string, number>();
  for (const { locality, priority, lbEndpoints } of sent.value.endpoints) {
    let unhealthy = 0;
    for (const { healthStatus } of lbEndpoints) if (!isRead(healthStatus)) unhealthy++;
    if (unhealthy > 0 && locality !== undefined) counts.set(localityKey(priority, locality), unhealthy);
  }
  return counts;
}

function isRead(status: number): boolean {
  return status === HealthStatus.UNKNOWN || status === HealthStatus.HEALTHY || status === HealthStatus.DRAINING;
}

export function localityKey(
  priority: number,
  { region, zone, subZone }: { region: string; zone: string; subZone: string },
): string {
  return [priority, region, zone, subZone].join('\n');
}

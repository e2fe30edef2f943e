import { HealthStatus } from '../../proto/generated/envoy.config.core.v3.js';
import { ClusterLoadAssignment } from '../../proto/generated/envoy.config.endpoint.v3.js';
import { decode } from '../../proto/message-type.js';
import type { EndpointResource } from '../../resources/endpoint.js';
import type { EndpointHealth } from './expectations.js';

export type EndpointCounts = Record<EndpointHealth, number>;

/** Caches counts, because `wait` evaluates the same resource repeatedly. */
const known = new WeakMap<Uint8Array, EndpointCounts>();

export function endpointCounts(resource: EndpointResource, bytes: Uint8Array): EndpointCounts {
  const counts = known.get(bytes) ?? countEndpoints(resource, bytes);
  known.set(bytes, counts);
  return counts;
}

/** Counts healthy and draining endpoints as gRPC does, and unhealthy ones, which gRPC ignores, as the control plane sent them. */
function countEndpoints({ priorities }: EndpointResource, bytes: Uint8Array): EndpointCounts {
  const used = priorities.flat().flatMap(({ endpoints }) => endpoints);
  const draining = used.filter(({ health }) => health === 'draining').length;
  const all = sentHealth(bytes);
  const unhealthy = all.filter((health) => UNUSED.has(health)).length;
  return { healthy: used.length - draining, draining, unhealthy, total: all.length };
}

/** The health status of each endpoint that the control plane sent. */
function sentHealth(bytes: Uint8Array): number[] {
  const sent = decode(ClusterLoadAssignment, bytes);
  const all: number[] = [];
  if (!sent.ok) return all;
  for (const { lbEndpoints } of sent.value.endpoints) {
    for (const { healthStatus } of lbEndpoints) all.push(healthStatus);
  }
  return all;
}

const UNUSED: ReadonlySet<number> = new Set([HealthStatus.UNHEALTHY, HealthStatus.TIMEOUT, HealthStatus.DEGRADED]);

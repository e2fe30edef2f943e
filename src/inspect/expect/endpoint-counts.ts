import { HealthStatus } from '../../proto/generated/envoy.config.core.v3.js';
import { ClusterLoadAssignment } from '../../proto/generated/envoy.config.endpoint.v3.js';
import { decode } from '../../proto/message-type.js';
import type { EndpointResource } from '../../resources/endpoint.js';
import type { EndpointHealth } from './expectations.js';

export type EndpointCounts = Record<EndpointHealth, number>;

/** `wait` looks at the same resource again and again. */
const known = new WeakMap<Uint8Array, EndpointCounts>();

export function endpointCounts(resource: EndpointResource, bytes: Uint8Array): EndpointCounts {
  const counts = known.get(bytes) ?? countEndpoints(resource, bytes);
  known.set(bytes, counts);
  return counts;
}

/** Those that gRPC knows are counted as it does; the others, which it never uses, as they were sent. */
function countEndpoints({ priorities }: EndpointResource, bytes: Uint8Array): EndpointCounts {
  const used = priorities.flat().flatMap(({ endpoints }) => endpoints);
  const draining = used.filter(({ health }) => health === 'draining').length;
  const all = sentHealth(bytes);
  const unhealthy = all.filter((health) => UNUSED.has(health)).length;
  return { healthy: used.length - draining, draining, unhealthy, total: all.length };
}

/** The health of each endpoint, as the control plane sent it. */
function sentHealth(bytes: Uint8Array): number[] {
  const sent = decode(ClusterLoadAssignment, bytes);
  const all = sent.ok ? sent.value.endpoints.flatMap(({ lbEndpoints }) => lbEndpoints) : [];
  return all.map(({ healthStatus }) => healthStatus);
}

const UNUSED: ReadonlySet<number> = new Set([HealthStatus.UNHEALTHY, HealthStatus.TIMEOUT, HealthStatus.DEGRADED]);

import { HealthStatus } from '../../proto/generated/envoy.config.core.v3.js';
import { ClusterLoadAssignment } from '../../proto/generated/envoy.config.endpoint.v3.js';
import { decode } from '../../proto/message-type.js';
import type { EndpointResource } from '../../resources/endpoint.js';
import { countText, fitsCount } from './count-rule.js';
import type { EndpointHealth, What } from './expectations.js';
import { statusText } from './judge-resource.js';
import { entryOf, type Observation, type Verdict } from './observation.js';

type Counts = Record<EndpointHealth, number>;

/** How many endpoints gRPC sends RPCs to, and how many it passes over. */
export function judgeEndpoints(
  { resource, health, count }: Extract<What, { kind: 'endpoints' }>,
  observation: Observation,
): Verdict {
  const expected = countText(count);
  const entry = entryOf(observation, resource);
  if (typeof entry === 'string') return { ok: false, expected, actual: entry };
  if (entry.resource?.type !== 'EDS' || entry.bytes === undefined)
    return { ok: false, expected, actual: `no version is in use: ${statusText(entry)}` };
  const counts = endpointCounts(entry.resource.value, entry.bytes);
  const actual = `${counts[health]} (${Object.entries(counts)
    .map(([name, number]) => `${number} ${name === 'total' ? 'in all' : name}`)
    .join(', ')})`;
  return { ok: fitsCount(count, counts[health]), expected, actual };
}

/** Those that gRPC knows are counted as it does; the others, which it never uses, as they were sent. */
export function endpointCounts({ priorities }: EndpointResource, bytes: Uint8Array): Counts {
  const used = priorities.flat().flatMap(({ endpoints }) => endpoints);
  const draining = used.filter(({ health }) => health === 'draining').length;
  const sent = decode(ClusterLoadAssignment, bytes);
  const all = sent.ok ? sent.value.endpoints.flatMap(({ lbEndpoints }) => lbEndpoints) : [];
  const unhealthy = all.filter(({ healthStatus }) => UNUSED.has(healthStatus)).length;
  return { healthy: used.length - draining, draining, unhealthy, total: all.length };
}

const UNUSED: ReadonlySet<number> = new Set([HealthStatus.UNHEALTHY, HealthStatus.TIMEOUT, HealthStatus.DEGRADED]);

import type { XdsConfig } from '../../deps/config.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { HealthStatus } from '../../proto/generated/envoy.config.core.v3.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { endpointsName } from '../../resources/references.js';
import { sentHealth } from '../expect/endpoint-counts.js';
import { resourceCause } from './cause.js';
import type { FailingPath } from './routes.js';
import type { Case, Cause } from './verdict.js';

/** Why the RPCs of a route to one of its clusters fail, nearest the root. */
export function clusterFailure(
  one: Case,
  config: XdsConfig,
  { outcome: { status, blocked }, route, cluster }: FailingPath,
): Cause {
  const nowhere = { resource: null, server: null };
  switch (blocked.by) {
    case 'cluster':
      return clusterCause(one, blocked.cluster, status.message);
    case 'endpoints':
    case 'connection':
      return endpointsCause(one, config, blocked.cluster);
    case 'policy': {
      const message = `cluster ${blocked.cluster}: ring_hash below wrr_locality never connects; RPCs wait until their deadline`;
      return { code: 'no-usable-endpoint', message, resource: { type: 'CDS', name: blocked.cluster }, server: null };
    }
    case 'fault': {
      const rpcs = cluster === undefined ? 'RPCs' : `RPCs to cluster ${cluster}`;
      const isLate = status.message === 'Deadline Exceeded';
      const what = isLate ? `delays ${rpcs} for longer than their timeout` : `aborts ${rpcs} on purpose`;
      return { ...nowhere, code: 'fault', message: `the fault filter ${what}` };
    }
    case 'drop':
      return {
        code: 'fault',
        message: `cluster ${blocked.cluster}: ${dropText(status.message)}`,
        resource: { type: 'CDS', name: blocked.cluster },
        server: null,
      };
    default: {
      const action = route.action.kind === 'unknown' ? route.action.field : 'non_forwarding_action';
      return { ...nowhere, code: 'no-route', message: `gRPC clients do not support the route action ${action}` };
    }
  }
}

function dropText(message: string): string {
  const category = /^EDS-configured drop: (.*)$/s.exec(message)?.[1];
  return category === undefined ? 'the circuit breaker drops all RPCs' : `the load assignment drops RPCs (${category})`;
}

/** An aggregate cluster fails with the first of its children that has no leaf. */
function clusterCause(one: Case, name: string, message: string): Cause {
  const found = one.scope.entry(RESOURCE_TYPES.CDS, name)?.resource;
  const missing = found?.type === 'CDS' ? deadChild(one.scope, name) : name;
  if (missing !== undefined) return resourceCause(one, 'CDS', missing, message);
  return { code: 'missing-leaf', message, resource: { type: 'CDS', name }, server: null };
}

/** The first child cluster of an aggregate that is not there. */
export function deadChild(scope: ScopeSnapshot, name: string, seen = new Set<string>()): string | undefined {
  const found = scope.entry(RESOURCE_TYPES.CDS, name)?.resource;
  const discovery = found?.type === 'CDS' ? found.value.discovery : undefined;
  if (discovery?.kind !== 'aggregate' || seen.has(name)) return undefined;
  seen.add(name);
  for (const child of discovery.clusters) {
    if (scope.entry(RESOURCE_TYPES.CDS, child)?.resource === undefined) return child;
    const below = deadChild(scope, child, seen);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** Why a cluster has no endpoint for new RPCs. */
export function endpointsCause(one: Case, config: XdsConfig, cluster: string): Cause {
  const found = config.clusters.get(cluster);
  const name = found?.kind === 'endpoints' ? endpointsName(cluster, found.cluster.discovery) : undefined;
  if (name === undefined) {
    const note = found?.kind === 'endpoints' ? found.endpoints.note : '';
    const message = `cluster ${cluster}: ${note || 'DNS has no address'}`;
    return { code: 'no-endpoints', message, resource: { type: 'CDS', name: cluster }, server: null };
  }
  const entry = one.scope.entry(RESOURCE_TYPES.EDS, name);
  if (entry?.resource === undefined) return resourceCause(one, 'EDS', name, `endpoints ${name}`);
  const place = { resource: { type: 'EDS', name } as const, server: entry.server ?? null };
  const states = healthStates(entry.bytes);
  const total = [...states.values()].reduce((sum, count) => sum + count, 0);
  const called = name === cluster ? '' : ` (EDS ${name})`;
  if (total === 0) return { ...place, code: 'no-endpoints', message: `cluster ${cluster}${called}: no endpoints` };
  const unusable = [...states].filter(([state]) => !USABLE.has(state)).map(([state, count]) => `${count} ${state}`);
  const rest = [...states].some(([state]) => USABLE.has(state)) ? ['localities without load_balancing_weight'] : [];
  const message = `cluster ${cluster}${called}: ${total} endpoint${total === 1 ? '' : 's'}, none usable (${[...unusable, ...rest].join(', ')})`;
  return { ...place, code: 'no-usable-endpoint', message };
}

const USABLE: ReadonlySet<string> = new Set(['UNKNOWN', 'HEALTHY']);
const HEALTH_NAMES = new Map<number, string>(
  Object.entries(HealthStatus).flatMap(([name, value]) => (typeof value === 'number' ? [[value, name]] : [])),
);

/** How many endpoints the control plane sent in each health state, in the order in which the states come up. */
function healthStates(bytes: Uint8Array | undefined): Map<string, number> {
  const states = new Map<string, number>();
  for (const health of bytes === undefined ? [] : sentHealth(bytes)) {
    const name = HEALTH_NAMES.get(health) ?? `health ${health}`;
    states.set(name, (states.get(name) ?? 0) + 1);
  }
  return states;
}

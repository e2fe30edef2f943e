import type { XdsConfig } from '../../deps/config.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { endpointsName } from '../../resources/references.js';
import { healthStates, NO_WEIGHT } from './health-states.js';
import { versionText } from './phrases.js';
import { resourceCause } from './resource-cause.js';
import type { Cause, TargetCase } from './verdict.js';

/** Returns why a cluster has no endpoint for new RPCs. */
export function endpointsCause(one: TargetCase, config: XdsConfig, cluster: string): Cause {
  const found = config.clusters.get(cluster);
  const discovery = found?.kind === 'endpoints' ? found.cluster.discovery : undefined;
  if (found?.kind === 'endpoints' && discovery?.kind === 'logical dns') {
    return dnsCause(cluster, discovery, found.endpoints.note);
  }
  const name = endpointsName(cluster, discovery) ?? cluster;
  const entry = one.scope.entry(RESOURCE_TYPES.EDS, name);
  if (entry?.resource === undefined) {
    const note = found?.kind === 'endpoints' ? found.endpoints.note : '';
    const cause = resourceCause(one, 'EDS', name, note, `eds_cluster_config of CDS ${cluster}`);
    const noun = `endpoints ${name}`;
    return name === cluster
      ? cause
      : { ...cause, message: cause.message.replace(noun, `${noun} of cluster ${cluster}`) };
  }
  const place = { resource: { type: 'EDS', name } as const, server: entry.server ?? null };
  const states = healthStates(entry.bytes);
  const total = [...states.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    const message = `cluster ${cluster}: no endpoints in EDS ${name}${versionText(entry.version)}`;
    const advice = `Start or register backends of ${name}: the control plane has none.`;
    return { ...place, code: 'no-endpoints', message, advice };
  }
  const called = name === cluster ? '' : ` (EDS ${name})`;
  const counts = [...states].map(([state, count]) => `${count} ${state}`).join(', ');
  const message = `cluster ${cluster}${called}: ${total} endpoint${total === 1 ? '' : 's'}, none usable (${counts})`;
  return { ...place, code: 'no-usable-endpoint', message, advice: unusableAdvice(states, name) };
}

/** Describes a DNS failure: no response, unknown name, or no address. */
function dnsCause(cluster: string, { host, port }: { host: string; port: number }, note: string): Cause {
  const failure = /\[field:hostname lookup error:(.*)\]$/s.exec(note)?.[1];
  const why = failure === undefined ? (note === '' ? 'no address' : note) : failure;
  return {
    code: 'no-endpoints',
    message: `cluster ${cluster}: DNS does not resolve ${host}:${port}: ${why}`,
    resource: { type: 'CDS', name: cluster },
    server: null,
    advice: `Add ${host} to DNS, or correct the address in CDS ${cluster}.`,
  };
}

function unusableAdvice(states: ReadonlyMap<string, number>, name: string): string {
  const isSkipped = [...states.keys()].some((state) => state.endsWith(NO_WEIGHT));
  if (isSkipped) return `Set load_balancing_weight of each locality in EDS ${name}: gRPC skips localities without it.`;
  return `Check the backends of ${name} and their health checks: gRPC uses only HEALTHY and UNKNOWN endpoints.`;
}

import { statusName } from '../../base/status.js';
import type { XdsConfig } from '../../deps/config.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { endpointsName } from '../../resources/references.js';
import { endpointsCause } from './endpoints-cause.js';
import { moreText, percentText, waitedText } from './phrases.js';
import { resourceCause } from './resource-cause.js';
import { type FailingPath, faultDelay, lateFault } from './routes.js';
import type { Cause, RouteOutcome, TargetCase } from './verdict.js';

const MAX_LEAVES = 3;
const MILLION = 1_000_000;

/** Returns why the RPCs of a route to one of its clusters fail: the cause nearest the root. */
export function clusterFailure(one: TargetCase, config: XdsConfig, path: FailingPath): Cause {
  const { status, blocked } = path.outcome;
  switch (blocked.by) {
    case 'cluster':
      return clusterCause(one, blocked.cluster, status.message);
    case 'endpoints':
    case 'connection':
      return leavesCause(one, config, path.cluster, blocked.cluster);
    case 'policy':
      return idleRingHash(blocked.cluster);
    case 'fault':
      return faultCause(config, path);
    case 'drop':
      return dropCause(config, blocked.cluster, status.message);
    default: {
      const action = path.route.action.kind === 'unknown' ? path.route.action.field : 'non_forwarding_action';
      return {
        code: 'no-route',
        message: action === '' ? 'the route has no action' : `gRPC clients do not support the route action ${action}`,
        resource: config.routeConfigName === '' ? null : { type: 'RDS', name: config.routeConfigName },
        server: null,
        advice: 'Give the route a cluster, or remove it for gRPC clients.',
      };
    }
  }
}

/** R9.16: ring_hash stays IDLE below a policy that sends it no RPC. */
function idleRingHash(cluster: string): Cause {
  return {
    code: 'no-usable-endpoint',
    message: `cluster ${cluster}: ring_hash below wrr_locality never connects; RPCs are queued until their deadline`,
    resource: { type: 'CDS', name: cluster },
    server: null,
    advice: 'Use ring_hash as the LB policy of the cluster, without wrr_locality.',
  };
}

/** `the fault filter "fault" aborts RPCs to cluster blue with ABORTED` */
function faultCause(config: XdsConfig, { outcome: { status }, route, cluster }: FailingPath): Cause {
  const rpcs = cluster === undefined ? 'RPCs' : `RPCs to cluster ${cluster}`;
  const late = status.message === 'Deadline Exceeded' ? lateFault(config, route, cluster) : undefined;
  const what =
    late === undefined
      ? `aborts ${rpcs} with ${statusName(status.code)} on purpose`
      : `delays ${rpcs} by ${waitedText(late.ms)}, past their timeout of ${waitedText(late.timeoutMs)}`;
  return faultText(config, what);
}

function faultText(config: XdsConfig, what: string): Cause {
  const filter = config.listener.filters.find((one) => one.config?.kind === 'fault')?.name ?? 'fault';
  const advice = `Remove the fault from filter "${filter}" unless this is a test.`;
  return { code: 'fault', message: `the fault filter "${filter}" ${what}`, resource: null, server: null, advice };
}

/** Reports a fault filter that delays RPCs, although they find an endpoint (A33). */
export function delayRemark(config: XdsConfig, outcomes: readonly RouteOutcome[]): Cause | undefined {
  if (!config.listener.filters.some((one) => one.config?.kind === 'fault')) return undefined;
  const clusters = new Map(outcomes.map((outcome) => [outcome.index, outcome.clusters]));
  for (const route of config.virtualHost.routes) {
    for (const cluster of clusters.get(route.displayOnly.index) ?? []) {
      const delay = faultDelay(config, route, cluster);
      if (delay === undefined) continue;
      const share = percentText(delay.share);
      return faultText(config, `delays ${share} of RPCs to cluster ${cluster} by ${waitedText(delay.ms)} on purpose`);
    }
  }
  return undefined;
}

/** `cluster blue: its load assignment drops 5 % of RPCs (drop_overloads "lb")` */
function dropCause(config: XdsConfig, name: string, message: string): Cause {
  const cause = { code: 'fault', server: null } as const;
  const category = /^EDS-configured drop: (.*)$/s.exec(message)?.[1];
  if (category === undefined) {
    return {
      ...cause,
      message: `cluster ${name}: circuit_breakers has max_requests 0, which drops every RPC`,
      resource: { type: 'CDS', name },
      advice: `Raise max_requests in circuit_breakers of CDS ${name}.`,
    };
  }
  const cluster = config.clusters.get(name);
  const known = cluster?.kind === 'endpoints' ? cluster : undefined;
  const drop = known?.endpoints.endpoints?.drops.find((one) => one.category === category);
  const share = drop === undefined ? '' : `${percentText(Math.min(1, drop.perMillion / MILLION))} of `;
  const endpoints = (known && endpointsName(name, known.cluster.discovery)) ?? name;
  return {
    ...cause,
    message: `cluster ${name}: its load assignment drops ${share}RPCs (drop_overloads "${category}")`,
    resource: { type: 'EDS', name: endpoints },
    advice: `Remove drop_overloads from EDS ${endpoints} unless its backends are overloaded.`,
  };
}

/** Describes an aggregate cluster without a usable endpoint by its first few leaves. */
function leavesCause(one: TargetCase, config: XdsConfig, name: string | undefined, last: string): Cause {
  const cause = endpointsCause(one, config, last);
  const aggregate = config.clusters.get(name ?? last);
  if (name === undefined || aggregate?.kind !== 'aggregate') return cause;
  const missing = missingChild(one.scope, name);
  const dead = missing === undefined ? [] : [leafText(resourceCause(one, 'CDS', missing, ''), missing)];
  const leaves = aggregate.leaves.map((leaf) => leafText(endpointsCause(one, config, leaf), leaf));
  const all = [...dead, ...leaves];
  const shown = all.slice(0, MAX_LEAVES).join('; ');
  const message = `no leaf of aggregate cluster ${name} can be used: ${shown}${moreText(all.length - MAX_LEAVES)}`;
  const advice = `Check each leaf of aggregate cluster ${name}: gRPC needs one with a HEALTHY or UNKNOWN endpoint.`;
  return { ...cause, message, advice };
}

/** `blue: 2 endpoints, none usable (2 UNHEALTHY)` */
export function leafText({ message }: Cause, leaf: string): string {
  return message.startsWith(`cluster ${leaf}: `) ? message.slice('cluster '.length) : `${leaf}: ${message}`;
}

/** An aggregate cluster fails with the error of its first child that has no leaf. */
function clusterCause(one: TargetCase, name: string, message: string): Cause {
  const found = one.scope.entry(RESOURCE_TYPES.CDS, name)?.resource;
  const missing = found?.type === 'CDS' ? missingChild(one.scope, name) : name;
  if (missing === name) return resourceCause(one, 'CDS', missing, message);
  if (missing !== undefined) {
    const cause = resourceCause(
      one,
      'CDS',
      missing,
      message,
      `aggregate cluster ${parentOf(one.scope, missing) ?? name}`,
    );
    return { ...cause, message: `aggregate cluster ${name}: ${cause.message}` };
  }
  const advice = `Give aggregate cluster ${name} a leaf of type EDS or LOGICAL_DNS.`;
  return {
    code: 'missing-leaf',
    message: `cluster ${name}: ${message}`,
    resource: { type: 'CDS', name },
    server: null,
    advice,
  };
}

/** The first child of an aggregate cluster, at any depth, that the client does not have. */
export function missingChild(scope: ScopeSnapshot, name: string, visited = new Set<string>()): string | undefined {
  const found = scope.entry(RESOURCE_TYPES.CDS, name)?.resource;
  const discovery = found?.type === 'CDS' ? found.value.discovery : undefined;
  if (discovery?.kind !== 'aggregate' || visited.has(name)) return undefined;
  visited.add(name);
  for (const child of discovery.clusters) {
    if (scope.entry(RESOURCE_TYPES.CDS, child)?.resource === undefined) return child;
    const below = missingChild(scope, child, visited);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** The aggregate cluster that names a child. It may be nested in another aggregate. */
function parentOf({ entries }: ScopeSnapshot, child: string): string | undefined {
  const parent = entries.find(({ resource }) => {
    const discovery = resource?.type === 'CDS' ? resource.value.discovery : undefined;
    return discovery?.kind === 'aggregate' && discovery.clusters.includes(child);
  });
  return parent?.name;
}

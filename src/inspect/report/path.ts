import type { XdsConfig } from '../../deps/config.js';
import { ClusterLoadAssignment } from '../../proto/generated/envoy.config.endpoint.v3.js';
import { decode } from '../../proto/message-type.js';
import { RESOURCE_TYPES, type ShortType } from '../../proto/resource-types.js';
import { endpointsName, routeNamesOf } from '../../resources/references.js';
import type { TargetResult } from '../inspection-result.js';
import type { Cause, Verdict } from '../verdict/verdict.js';

/** A step on the path from a target to its endpoints. */
export interface PathStep {
  kind: 'listener' | 'routes' | 'virtual host' | 'route' | 'filter chain' | 'cluster' | 'endpoints';
  name: string;
  detail: string | null;
  /** The cause of the verdict is in this step. */
  isFault: boolean;
}

type Step = Omit<PathStep, 'isFault' | 'detail'> & { detail?: string };

/** The path of an RPC from the listener to the endpoints, or to the step where it fails. */
export function pathOf({ scope, channel, verdict }: TargetResult): PathStep[] {
  const { listener, state } = channel;
  const steps: Step[] = [{ kind: 'listener', name: listener }];
  if (state.kind === 'published') {
    const bytesOf: BytesOf = (name) => scope.entry(RESOURCE_TYPES.EDS, name)?.bytes;
    steps.push(...configSteps(state.config, verdict, bytesOf));
  } else {
    const found = scope.entry(RESOURCE_TYPES.LDS, listener)?.resource;
    const [routes] = found?.type === 'LDS' ? routeNamesOf(found.value) : [];
    if (routes !== undefined) steps.push({ kind: 'routes', name: routes });
    const bad = state.kind === 'served' ? verdict.routes.find(({ outcome }) => outcome === 'fails') : undefined;
    if (bad !== undefined) steps.splice(1, 0, { kind: 'filter chain', name: bad.match });
    const missing = state.kind === 'none' ? verdict.cause?.resource : null;
    if (missing?.type === 'CDS' || missing?.type === 'EDS')
      steps.push({ kind: KINDS[missing.type], name: missing.name });
  }
  const fault = verdict.verdict === 'ok' || verdict.cause === null ? -1 : faultIn(steps, verdict.cause);
  // An RPC does not reach the steps after the fault.
  const reached = fault < 0 ? steps : steps.slice(0, fault + 1);
  return reached.map(({ detail = null, ...step }, i) => ({ ...step, detail, isFault: i === fault }));
}

/** Returns an endpoint resource as the control plane sent it. */
type BytesOf = (name: string) => Uint8Array | undefined;

function configSteps(config: XdsConfig, { routes, cause }: Verdict, bytesOf: BytesOf): Step[] {
  const steps: Step[] = [];
  if (config.routeConfigName !== '') steps.push({ kind: 'routes', name: config.routeConfigName });
  steps.push({ kind: 'virtual host', name: config.virtualHost.domains.join(', ') });
  const counted = routes.filter(({ outcome }) => outcome !== 'never-matches');
  const route =
    counted.find(({ outcome }) => outcome === 'fails' || outcome === 'partly') ??
    counted.find(({ clusters }) => clusters.some((name) => leadsTo(config, name, cause))) ??
    counted[0];
  if (route === undefined) return steps;
  steps.push({ kind: 'route', name: route.match });
  const cluster = route.clusters.find((name) => leadsTo(config, name, cause)) ?? route.clusters[0];
  if (cluster !== undefined) steps.push(...clusterSteps(config, cluster, cause, bytesOf));
  return steps;
}

/** The steps of a cluster: the cluster, its leaf if it is an aggregate, and the endpoints. */
function clusterSteps(config: XdsConfig, name: string, cause: Cause | null, bytesOf: BytesOf): Step[] {
  const found = config.clusters.get(name);
  const step: Step = { kind: 'cluster', name };
  const missing = cause?.resource?.type === 'CDS' && cause.resource.name !== name ? cause.resource.name : undefined;
  // An aggregate cluster without a usable leaf is an error itself; the cause names the leaf.
  if (found?.kind === 'error' && missing !== undefined) return [step, { kind: 'cluster', name: missing }];
  if (found?.kind === 'aggregate') {
    const leaf = found.leaves.find((one) => leadsTo(config, one, cause)) ?? missing ?? found.leaves[0];
    return leaf === undefined || leaf === name ? [step] : [step, ...clusterSteps(config, leaf, cause, bytesOf)];
  }
  if (found?.kind !== 'endpoints') return [step];
  const resource = endpointsName(name, found.cluster.discovery);
  if (resource === undefined) return [step, { kind: 'endpoints', name: 'by DNS' }];
  const counts = localityCounts(bytesOf(resource));
  return [step, { kind: 'endpoints', name: resource, ...(counts !== '' && { detail: counts }) }];
}

const MAX_LOCALITIES = 3;

/** `eu-west1: 3`: the number of endpoints that the control plane sent, including those that gRPC does not use. */
function localityCounts(bytes: Uint8Array | undefined): string {
  const sent = bytes && decode(ClusterLoadAssignment, bytes);
  const localities = sent?.ok ? sent.value.endpoints : [];
  const shown: string[] = [];
  for (const { locality, lbEndpoints } of localities) {
    const parts = locality === undefined ? [] : [locality.region, locality.zone, locality.subZone];
    const name = parts.filter((part) => part !== '').join('/') || 'no locality name';
    if (shown.push(`${name}: ${lbEndpoints.length}`) === MAX_LOCALITIES) break;
  }
  const more = localities.length - MAX_LOCALITIES;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** Whether the cause is about a cluster, one of its leaves, or its endpoints. */
function leadsTo(config: XdsConfig, name: string, cause: Cause | null): boolean {
  const { type, name: wanted } = cause?.resource ?? {};
  if (type !== 'CDS' && type !== 'EDS') return false;
  const found = config.clusters.get(name);
  if (type === 'CDS' && name === wanted) return true;
  if (found?.kind === 'aggregate') {
    if (found.leaves.some((leaf) => leaf !== name && leadsTo(config, leaf, cause))) return true;
    const { discovery } = found.cluster;
    return type === 'CDS' && discovery?.kind === 'aggregate' && discovery.clusters.some((one) => one === wanted);
  }
  return type === 'EDS' && found?.kind === 'endpoints' && endpointsName(name, found.cluster.discovery) === wanted;
}

const KINDS: Record<ShortType, PathStep['kind']> = {
  LDS: 'listener',
  RDS: 'routes',
  CDS: 'cluster',
  EDS: 'endpoints',
};

/** The index of the step that the cause is about; the last step if the cause names no resource on the path. */
function faultIn(steps: readonly Step[], { resource, code }: Cause): number {
  if (code === 'no-route' || code === 'fault') {
    const at = steps.findLastIndex(({ kind }) => kind === 'route' || kind === 'filter chain');
    if (at >= 0 && resource?.type !== 'EDS' && resource?.type !== 'CDS') return at;
  }
  const named = steps.findLastIndex(
    ({ kind, name }) => resource !== null && kind === KINDS[resource.type] && name === resource.name,
  );
  return named >= 0 ? named : steps.length - 1;
}

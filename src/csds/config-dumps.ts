import type { CacheStatus } from '../core/cache-status.js';
import type {
  ClustersConfigDump,
  EndpointsConfigDump,
  ListenersConfigDump,
  ListenersConfigDumpDynamicListener,
  RoutesConfigDump,
  ScopedRoutesConfigDump,
  UpdateFailureState,
} from '../proto/generated/envoy.admin.v3.js';
import type { PerXdsConfig } from '../proto/generated/envoy.service.status.v3.js';
import type { Any, Timestamp } from '../proto/generated/google.protobuf.js';
import { resourceName } from '../proto/resource-name.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import type { DumpedResource } from './dump.js';
import { cacheStatus, errorOf, millisOf, oldCacheStatus, syncStatus, withPrefix } from './dumped-values.js';

const { LDS, RDS, CDS, EDS } = RESOURCE_TYPES;
const SCOPED_ROUTES = 'type.googleapis.com/envoy.config.route.v3.ScopedRouteConfiguration';

/** What one entry of any of these dumps says. */
interface Row {
  typeUrl: string;
  name?: string;
  any: Any | undefined;
  path: readonly (string | number)[];
  versionInfo?: string;
  lastUpdated: Timestamp | undefined;
  errorState?: UpdateFailureState | undefined;
  clientStatus?: number;
  phase?: DumpedResource['phase'];
}

/** CSDS's older shape: a dump a type, with one state of the whole type in the control plane's view. */
export function dumpedByType(configs: readonly PerXdsConfig[]): DumpedResource[] {
  return configs.flatMap(({ status, clientStatus, perXdsConfig }, i) =>
    rowsOf(perXdsConfig).map((row): DumpedResource => {
      const contents = row.any?.value;
      return {
        typeUrl: row.any === undefined || row.any.typeUrl === '' ? row.typeUrl : withPrefix(row.any.typeUrl),
        name: row.name || (contents === undefined ? '' : resourceName(contents)),
        status: rowStatus(row, oldCacheStatus(clientStatus)),
        sync: syncStatus(status),
        version: row.versionInfo ?? '',
        updatedAt: millisOf(row.lastUpdated),
        contents,
        phase: row.phase,
        error: errorOf(row.errorState),
        path: ['xdsConfig', i, perXdsConfig?.kind ?? '', ...row.path],
      };
    }),
  );
}

function rowStatus({ clientStatus = 0 }: Row, ofType: CacheStatus): CacheStatus {
  const own = cacheStatus(clientStatus);
  return own === 'UNKNOWN' ? ofType : own;
}

function rowsOf(dump: PerXdsConfig['perXdsConfig']): Row[] {
  switch (dump?.kind) {
    case 'listenerConfig':
      return listenerRows(dump.value);
    case 'clusterConfig':
      return clusterRows(dump.value);
    case 'routeConfig':
      return routeRows(dump.value);
    case 'scopedRouteConfig':
      return scopedRows(dump.value);
    case 'endpointConfig':
      return endpointRows(dump.value);
    default:
      return [];
  }
}

function listenerRows({ staticListeners, dynamicListeners }: ListenersConfigDump): Row[] {
  return [
    ...staticListeners.map(
      ({ listener: any, lastUpdated }, i): Row => ({
        typeUrl: LDS,
        any,
        lastUpdated,
        phase: 'static',
        path: ['staticListeners', i],
      }),
    ),
    ...dynamicListeners.map((one, i) => listenerRow(one, i)),
  ];
}

/** Envoy has up to three versions of a listener; the one in use counts. */
function listenerRow(one: ListenersConfigDumpDynamicListener, i: number): Row {
  const { name, activeState, warmingState, drainingState, errorState, clientStatus } = one;
  const phase = activeState !== undefined ? undefined : warmingState !== undefined ? 'warming' : 'draining';
  const state = activeState ?? warmingState ?? drainingState;
  return {
    typeUrl: LDS,
    name,
    any: state?.listener,
    versionInfo: state?.versionInfo ?? '',
    lastUpdated: state?.lastUpdated,
    errorState,
    clientStatus,
    phase: state === undefined ? undefined : phase,
    path: ['dynamicListeners', i],
  };
}

function clusterRows({ staticClusters, dynamicActiveClusters, dynamicWarmingClusters }: ClustersConfigDump): Row[] {
  return [
    ...staticClusters.map(
      ({ cluster: any, lastUpdated }, i): Row => ({
        typeUrl: CDS,
        any,
        lastUpdated,
        phase: 'static',
        path: ['staticClusters', i],
      }),
    ),
    ...dynamicActiveClusters.map(
      ({ cluster: any, ...rest }, i): Row => ({ typeUrl: CDS, any, ...rest, path: ['dynamicActiveClusters', i] }),
    ),
    ...dynamicWarmingClusters.map(
      ({ cluster: any, ...rest }, i): Row => ({
        typeUrl: CDS,
        any,
        ...rest,
        phase: 'warming',
        path: ['dynamicWarmingClusters', i],
      }),
    ),
  ];
}

function routeRows({ staticRouteConfigs, dynamicRouteConfigs }: RoutesConfigDump): Row[] {
  return [
    ...staticRouteConfigs.map(
      ({ routeConfig: any, lastUpdated }, i): Row => ({
        typeUrl: RDS,
        any,
        lastUpdated,
        phase: 'static',
        path: ['staticRouteConfigs', i],
      }),
    ),
    ...dynamicRouteConfigs.map(
      ({ routeConfig: any, ...rest }, i): Row => ({ typeUrl: RDS, any, ...rest, path: ['dynamicRouteConfigs', i] }),
    ),
  ];
}

/** One name for a list of configurations: a row for the list. */
function scopedRows({ inlineScopedRouteConfigs, dynamicScopedRouteConfigs }: ScopedRoutesConfigDump): Row[] {
  return [
    ...inlineScopedRouteConfigs.map(
      ({ name, lastUpdated }, i): Row => ({
        typeUrl: SCOPED_ROUTES,
        name,
        any: undefined,
        lastUpdated,
        phase: 'static',
        path: ['inlineScopedRouteConfigs', i],
      }),
    ),
    ...dynamicScopedRouteConfigs.map(
      ({ scopedRouteConfigs: _list, ...rest }, i): Row => ({
        typeUrl: SCOPED_ROUTES,
        any: undefined,
        ...rest,
        path: ['dynamicScopedRouteConfigs', i],
      }),
    ),
  ];
}

function endpointRows({ staticEndpointConfigs, dynamicEndpointConfigs }: EndpointsConfigDump): Row[] {
  return [
    ...staticEndpointConfigs.map(
      ({ endpointConfig: any, lastUpdated }, i): Row => ({
        typeUrl: EDS,
        any,
        lastUpdated,
        phase: 'static',
        path: ['staticEndpointConfigs', i],
      }),
    ),
    ...dynamicEndpointConfigs.map(
      ({ endpointConfig: any, ...rest }, i): Row => ({
        typeUrl: EDS,
        any,
        ...rest,
        path: ['dynamicEndpointConfigs', i],
      }),
    ),
  ];
}

import type { CacheStatus } from '../core/cache-status.js';
import type { ListenersConfigDumpDynamicListener, UpdateFailureState } from '../proto/generated/envoy.admin.v3.js';
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
    case 'listenerConfig': {
      const { staticListeners, dynamicListeners } = dump.value;
      const fixed = listRows(LDS, 'staticListeners', staticListeners, ({ listener }) => listener, 'static');
      return [...fixed, ...dynamicListeners.map(listenerRow)];
    }
    case 'clusterConfig': {
      const { staticClusters, dynamicActiveClusters, dynamicWarmingClusters } = dump.value;
      return [
        ...listRows(CDS, 'staticClusters', staticClusters, ({ cluster }) => cluster, 'static'),
        ...listRows(CDS, 'dynamicActiveClusters', dynamicActiveClusters, ({ cluster }) => cluster),
        ...listRows(CDS, 'dynamicWarmingClusters', dynamicWarmingClusters, ({ cluster }) => cluster, 'warming'),
      ];
    }
    case 'routeConfig': {
      const { staticRouteConfigs, dynamicRouteConfigs } = dump.value;
      return [
        ...listRows(RDS, 'staticRouteConfigs', staticRouteConfigs, ({ routeConfig }) => routeConfig, 'static'),
        ...listRows(RDS, 'dynamicRouteConfigs', dynamicRouteConfigs, ({ routeConfig }) => routeConfig),
      ];
    }
    case 'scopedRouteConfig': {
      const { inlineScopedRouteConfigs: inline, dynamicScopedRouteConfigs: dynamic } = dump.value;
      // One name for a list of configurations: a row for the list.
      const noneOf = (): undefined => undefined;
      return [
        ...listRows(SCOPED_ROUTES, 'inlineScopedRouteConfigs', inline, noneOf, 'static'),
        ...listRows(SCOPED_ROUTES, 'dynamicScopedRouteConfigs', dynamic, noneOf),
      ];
    }
    case 'endpointConfig': {
      const { staticEndpointConfigs: fixed, dynamicEndpointConfigs: dynamic } = dump.value;
      return [
        ...listRows(EDS, 'staticEndpointConfigs', fixed, ({ endpointConfig }) => endpointConfig, 'static'),
        ...listRows(EDS, 'dynamicEndpointConfigs', dynamic, ({ endpointConfig }) => endpointConfig),
      ];
    }
    default:
      return [];
  }
}

/** A row for each entry of one of a dump's lists. */
function listRows<E extends Pick<Row, 'name' | 'versionInfo' | 'lastUpdated' | 'errorState' | 'clientStatus'>>(
  typeUrl: string,
  list: string,
  entries: readonly E[],
  anyOf: (entry: E) => Any | undefined,
  phase?: Row['phase'],
): Row[] {
  return entries.map((one, i) => ({ ...one, typeUrl, any: anyOf(one), phase, path: [list, i] }));
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

import type { CacheStatus } from '../core/cache-status.js';
import type { ListenersConfigDumpDynamicListener, UpdateFailureState } from '../proto/generated/envoy.admin.v3.js';
import type { PerXdsConfig } from '../proto/generated/envoy.service.status.v3.js';
import type { Any, Timestamp } from '../proto/generated/google.protobuf.js';
import { resourceName } from '../proto/resource-name.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import type { Repeated } from '../proto/wire/message-list.js';
import type { DumpedResource } from './dump.js';
import { cacheStatus, errorOf, millisOf, oldCacheStatus, syncStatus, withPrefix } from './dumped-values.js';

const { LDS, RDS, CDS, EDS } = RESOURCE_TYPES;
const SCOPED_ROUTES = 'type.googleapis.com/envoy.config.route.v3.ScopedRouteConfiguration';

/** One entry of any of these dumps. */
interface DumpEntry {
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

/** Reads the older form of CSDS: one dump per type, with one state of the whole type as the control plane sees it. */
export function dumpedByType(configs: Iterable<PerXdsConfig>): DumpedResource[] {
  return [...configs].flatMap(({ status, clientStatus, perXdsConfig }, i) =>
    entriesOf(perXdsConfig).map((entry): DumpedResource => {
      const contents = entry.any?.value;
      return {
        typeUrl: entry.any === undefined || entry.any.typeUrl === '' ? entry.typeUrl : withPrefix(entry.any.typeUrl),
        name: entry.name || (contents === undefined ? '' : resourceName(contents)),
        status: entryStatus(entry, oldCacheStatus(clientStatus)),
        sync: syncStatus(status),
        version: entry.versionInfo ?? '',
        updatedAt: millisOf(entry.lastUpdated),
        contents,
        phase: entry.phase,
        error: errorOf(entry.errorState),
        path: ['xdsConfig', i, perXdsConfig?.kind ?? '', ...entry.path],
      };
    }),
  );
}

function entryStatus({ clientStatus = 0 }: DumpEntry, ofType: CacheStatus): CacheStatus {
  const own = cacheStatus(clientStatus);
  return own === 'UNKNOWN' ? ofType : own;
}

function entriesOf(dump: PerXdsConfig['perXdsConfig']): DumpEntry[] {
  switch (dump?.kind) {
    case 'listenerConfig': {
      const { staticListeners, dynamicListeners } = dump.value;
      const fixed = listEntries(LDS, 'staticListeners', staticListeners, ({ listener }) => listener, 'static');
      return [...fixed, ...dynamicListeners.map(listenerEntry)];
    }
    case 'clusterConfig': {
      const { staticClusters, dynamicActiveClusters, dynamicWarmingClusters } = dump.value;
      return [
        ...listEntries(CDS, 'staticClusters', staticClusters, ({ cluster }) => cluster, 'static'),
        ...listEntries(CDS, 'dynamicActiveClusters', dynamicActiveClusters, ({ cluster }) => cluster),
        ...listEntries(CDS, 'dynamicWarmingClusters', dynamicWarmingClusters, ({ cluster }) => cluster, 'warming'),
      ];
    }
    case 'routeConfig': {
      const { staticRouteConfigs, dynamicRouteConfigs } = dump.value;
      return [
        ...listEntries(RDS, 'staticRouteConfigs', staticRouteConfigs, ({ routeConfig }) => routeConfig, 'static'),
        ...listEntries(RDS, 'dynamicRouteConfigs', dynamicRouteConfigs, ({ routeConfig }) => routeConfig),
      ];
    }
    case 'scopedRouteConfig': {
      const { inlineScopedRouteConfigs: inline, dynamicScopedRouteConfigs: dynamic } = dump.value;
      // One name denotes a list of configurations, so the list becomes one entry.
      const noneOf = (): undefined => undefined;
      return [
        ...listEntries(SCOPED_ROUTES, 'inlineScopedRouteConfigs', inline, noneOf, 'static'),
        ...listEntries(SCOPED_ROUTES, 'dynamicScopedRouteConfigs', dynamic, noneOf),
      ];
    }
    case 'endpointConfig': {
      const { staticEndpointConfigs: fixed, dynamicEndpointConfigs: dynamic } = dump.value;
      return [
        ...listEntries(EDS, 'staticEndpointConfigs', fixed, ({ endpointConfig }) => endpointConfig, 'static'),
        ...listEntries(EDS, 'dynamicEndpointConfigs', dynamic, ({ endpointConfig }) => endpointConfig),
      ];
    }
    default:
      return [];
  }
}

/** Converts the entries of one list of a dump. */
function listEntries<E extends Pick<DumpEntry, 'name' | 'versionInfo' | 'lastUpdated' | 'errorState' | 'clientStatus'>>(
  typeUrl: string,
  list: string,
  entries: Repeated<E>,
  anyOf: (entry: E) => Any | undefined,
  phase?: DumpEntry['phase'],
): DumpEntry[] {
  return entries.map((one, i) => ({ ...one, typeUrl, any: anyOf(one), phase, path: [list, i] }));
}

/** Envoy has up to three versions of a listener; the active one takes precedence. */
function listenerEntry(one: ListenersConfigDumpDynamicListener, i: number): DumpEntry {
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

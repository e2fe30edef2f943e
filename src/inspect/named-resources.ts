import type { Json } from '../proto/json/well-known.js';

type JsonObject = { [key: string]: Json };

/** The route configurations that listeners name, in gRPC's and in Envoy's listeners. */
export function routeNames(listeners: readonly Json[]): string[] {
  return distinct(objectsIn(listeners).flatMap(({ rds }) => named(rds, 'routeConfigName', 'configSource')));
}

/** The clusters that routes name. */
export function clusterNames(resources: readonly Json[]): string[] {
  return distinct(
    objectsIn(resources).flatMap(({ route }) => {
      if (!isObject(route)) return [];
      const { cluster, weightedClusters } = route;
      const weighted = isObject(weightedClusters) ? weightedClusters.clusters : undefined;
      const parts = Array.isArray(weighted) ? weighted.filter(isObject) : [];
      return [cluster, ...parts.map(({ name }) => name)].filter(isName);
    }),
  );
}

/** The endpoint resources that clusters name. */
export function endpointNames(clusters: readonly Json[]): string[] {
  return distinct(
    clusters.flatMap((cluster) => {
      if (!isObject(cluster) || cluster.type !== 'EDS') return [];
      const { edsClusterConfig: eds, name } = cluster;
      const own = named(eds, 'serviceName', 'edsConfig');
      if (own.length > 0 || !isObject(eds) || !isAds(eds.edsConfig)) return own;
      return isName(name) ? [name] : [];
    }),
  );
}

/** The name in an object, if its config source is the same ADS stream. */
function named(value: Json | undefined, field: string, source: string): string[] {
  if (!isObject(value) || !isAds(value[source])) return [];
  const name = value[field];
  return isName(name) ? [name] : [];
}

function isAds(source: Json | undefined): boolean {
  return isObject(source) && (source.ads !== undefined || source.self !== undefined);
}

/** All objects in some values, including the values themselves. */
function objectsIn(values: readonly Json[]): JsonObject[] {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return objectsIn(value);
    return isObject(value) ? [value, ...objectsIn(Object.values(value))] : [];
  });
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

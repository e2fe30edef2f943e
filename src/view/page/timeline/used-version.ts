import type { CacheEntry } from '../../../core/resource-cache.js';
import { shortType } from '../../../proto/resource-types.js';
import { history, target } from '../store.js';

/** The version that RPCs use while a newer one is cached but held back (A74); undefined if RPCs use the cached one. */
export function heldBackFor({ typeUrl, name, resource, version }: CacheEntry): string | undefined {
  const { channel, scope } = target.value ?? {};
  if (channel === undefined || scope === undefined || !channel.isWithheld || channel.state.kind !== 'published')
    return undefined;
  const { routeConfig, routeConfigName, clusters } = channel.state.config;
  const cluster = clusters.get(name);
  const type = shortType(typeUrl);
  const inRoutes = type === 'RDS' && name === routeConfigName ? routeConfig : undefined;
  const inCluster = type === 'CDS' && cluster !== undefined && cluster.kind !== 'error' ? cluster.cluster : undefined;
  const used = inRoutes ?? inCluster;
  if (used === undefined || used === resource?.value) return undefined;
  const past = history.value?.versionsOf(scope.scope, typeUrl, name) ?? [];
  const found = past.findLast(({ entry }) => entry?.resource?.value === used)?.entry?.version;
  return found === version ? undefined : found;
}

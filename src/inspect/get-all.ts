import type { Json } from '../proto/json/well-known.js';
import type { ShortType } from '../proto/resource-types.js';
import { clusterNames, endpointNames, routeNames } from './named-resources.js';

/** One value per type; undefined if no name of that type is known. */
export type PerType<T> = Record<ShortType, T | undefined>;

/**
 * Requests every resource that gRPC may need: listeners and clusters by wildcard, then the route configurations and
 * endpoints that they name, as a client does. Many servers respond to RDS and EDS requests only by name.
 */
export async function requestAll<T>(
  request: (type: ShortType, names: readonly string[]) => Promise<T | undefined>,
  resourcesOf: (result: T | undefined) => readonly Json[],
): Promise<PerType<T>> {
  const byName = async (type: ShortType, names: readonly string[]): Promise<T | undefined> =>
    names.length === 0 ? undefined : await request(type, names);
  const [LDS, listed] = await Promise.all([request('LDS', []), request('CDS', [])]);
  const listeners = resourcesOf(LDS);
  const RDS = await byName('RDS', routeNames(listeners));
  // Some servers respond to CDS requests only by name, too.
  const isListed = resourcesOf(listed).length > 0;
  const named = isListed ? [] : clusterNames([...listeners, ...resourcesOf(RDS)]);
  const CDS = (await byName('CDS', named)) ?? listed;
  return { LDS, RDS, CDS, EDS: await byName('EDS', endpointNames(resourcesOf(CDS))) };
}

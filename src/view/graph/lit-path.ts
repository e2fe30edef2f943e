import type { XdsConfig } from '../../deps/config.js';
import type { ExplainView } from '../../inspect/explain/explanation.js';
import type { TargetResult } from '../../inspect/inspection-result.js';
import { addressText } from '../../resources/common/ip-address.js';
import { clusterOutcome } from '../../routing/predict.js';
import { clusterId, localityIds } from './cluster-nodes.js';
import { routeIds, usedHostId } from './route-nodes.js';
import { servedPath } from './server-graph.js';
import { LISTENER_ID, routesId, TARGET_ID } from './target-graph.js';

/** More addresses than this are not compared with localities: all localities of the cluster are lit. */
const MOST_ADDRESSES = 10_000;

/** The ids of the nodes that an RPC passes, up to the one where it fails. */
export function litPath(target: TargetResult, view: ExplainView): ReadonlySet<string> {
  const { channel, nodeId } = target;
  const lit = new Set([TARGET_ID, LISTENER_ID, ...servedPath(target, view.chains)]);
  if (channel.state.kind !== 'published') return lit;
  const { config } = channel.state;
  if (config.routeConfigName !== '') lit.add(routesId(config.routeConfigName));
  lit.add(usedHostId(config));
  const ids = routeIds(config.virtualHost);
  for (const { route, cluster } of [{ route: view.route?.index ?? null, cluster: null }, ...view.paths]) {
    const id = route === null ? undefined : ids.get(route);
    if (id !== undefined) lit.add(id);
    if (cluster !== null) addCluster(lit, config, cluster, nodeId);
  }
  return lit;
}

function addCluster(lit: Set<string>, config: XdsConfig, name: string, nodeId: string | undefined): void {
  if (lit.has(clusterId(name))) return;
  lit.add(clusterId(name));
  const outcome = clusterOutcome(name, config, { nodeId });
  if (outcome.kind === 'fails') {
    if ('cluster' in outcome.blocked) lit.add(clusterId(outcome.blocked.cluster));
    return;
  }
  if (outcome.kind !== 'connects') return;
  const { leaf, addresses } = outcome;
  lit.add(clusterId(leaf));
  const used = addresses.length > MOST_ADDRESSES ? undefined : new Set(addresses.map(addressText));
  const found = config.clusters.get(leaf);
  const priorities = found?.kind === 'endpoints' ? (found.endpoints.endpoints?.priorities ?? []) : [];
  const ids = localityIds(leaf, priorities);
  for (const [i, { endpoints }] of priorities.flat().entries()) {
    const isUsed =
      used === undefined || endpoints.some((one) => one.addresses.some((address) => used.has(addressText(address))));
    if (isUsed) lit.add(ids[i] as string);
  }
}

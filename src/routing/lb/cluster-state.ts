import type { Status } from '../../base/status.js';
import { statusTexts } from '../../core/status-texts/index.js';
import type { StatusTexts } from '../../core/status-texts/status-texts.js';
import type { ClusterConfig, XdsConfig } from '../../deps/config.js';
import { resolutionNote } from '../../deps/notes.js';
import type { IpAddress } from '../../resources/common/ip-address.js';
import { fails } from '../outcome.js';
import { endpointPolicyState } from './endpoint-policy.js';
import { failing, firstUsable, type LbState, type Pick } from './lb-state.js';
import { usableLocalities } from './usable-endpoints.js';

export interface LbOptions {
  nodeId: string | undefined;
  /** Whether an address accepts connections; by default all do. */
  isReachable?: ((address: IpAddress) => boolean) | undefined;
}

type LeafConfig = ClusterConfig & { kind: 'endpoints' };

const MILLION = 1_000_000;

/** The state of gRPC's cds policy for a cluster. An aggregate cluster is a priority policy over its leaves (A37, A75). */
export function clusterState(name: string, config: XdsConfig, options: LbOptions): LbState {
  const cluster = config.clusters.get(name);
  if (cluster === undefined || cluster.kind === 'error') return errorState(name, cluster?.message, config, options);
  if (cluster.kind === 'endpoints') return leafState(name, name, cluster, '', config, options);
  const states = cluster.leaves.flatMap((leaf) => {
    const found = config.clusters.get(leaf);
    if (found?.kind === 'error') return [errorState(leaf, found.message, config, options)];
    return found?.kind === 'endpoints' ? [leafState(name, leaf, found, cluster.note, config, options)] : [];
  });
  return firstUsable(states) ?? failing({ kind: 'waits', why: `cluster ${name} has no leaves` });
}

function errorState(name: string, message: string | undefined, config: XdsConfig, { nodeId }: LbOptions): LbState {
  const { clusterStatus, noCluster } = statusTexts(config.statusTexts);
  return failing(fails(clusterStatus(message ?? noCluster(name), name, nodeId), { by: 'cluster', cluster: name }));
}

/** Connections that are established stay in use if the current endpoints are missing and the client keeps them. */
function leafState(
  cluster: string,
  leaf: string,
  { inUse, ...config }: LeafConfig,
  above: string,
  whole: XdsConfig,
  options: LbOptions,
): LbState {
  return endpointsState(cluster, leaf, { ...config, endpoints: inUse ?? config.endpoints }, above, whole, options);
}

/** R9.17: drops and the circuit breaker (A32) come before the priorities of a leaf, even if these fail (A75). */
function endpointsState(
  cluster: string,
  leaf: string,
  config: LeafConfig,
  above: string,
  whole: XdsConfig,
  { nodeId, isReachable = () => true }: LbOptions,
): LbState {
  const note = (): string => [above, resolutionNote(whole, config, nodeId)].filter((text) => text !== '').join('; ');
  const texts = statusTexts(whole.statusTexts);
  const context = { cluster, leaf, note, isReachable, texts };
  const states = usableLocalities(config).map((localities) =>
    endpointPolicyState(config.cluster.lbPolicy, localities, context),
  );
  const { isUsable, picks } = firstUsable(states) as LbState;
  const drops = config.endpoints.endpoints?.drops ?? [];
  // A leaf that drops all RPCs reports READY, so the priority policy does not use another leaf.
  const dropsAll = drops.some(({ perMillion }) => perMillion >= MILLION);
  const passed = config.cluster.maxConcurrentRequests === 0 ? [dropped(texts.circuitBreakerStatus, leaf, 1)] : picks;
  return { isUsable: isUsable || dropsAll, picks: afterDrops(drops, leaf, passed, texts) };
}

/** Each category drops its share of the remaining RPCs, in order. */
function afterDrops(
  drops: readonly { category: string; perMillion: number }[],
  leaf: string,
  passed: readonly Pick[],
  texts: StatusTexts,
): Pick[] {
  const picks: Pick[] = [];
  let rest = 1;
  for (const { category, perMillion } of drops) {
    const share = rest * Math.min(1, perMillion / MILLION);
    rest -= share;
    if (share > 0) picks.push(dropped(texts.dropStatus(category), leaf, share));
  }
  if (rest > 0) picks.push(...passed.map((pick) => ({ ...pick, share: pick.share * rest })));
  return picks;
}

function dropped(status: Status, leaf: string, share: number): Pick {
  return { share, outcome: fails(status, { by: 'drop', cluster: leaf }) };
}

import { type Status, statusCode } from '../base/status.js';
import type { ClusterConfig, ConfigState, XdsConfig } from '../deps/config.js';
import { resolutionNote } from '../deps/notes.js';
import { addressUri, type IpAddress } from '../resources/common/ip-address.js';
import { injected } from './fault.js';
import type { Call } from './match.js';
import { type Selection, select } from './select.js';

/** What an RPC gets, as far as the configuration decides. */
type Outcome =
  /** Nothing decides yet: it waits, until its deadline if need be. */
  | { kind: 'waits'; why: string }
  | { kind: 'fails'; status: Status; blocked: Blocked }
  /** It is sent to one of these, the first group that can be reached first. */
  | { kind: 'connects'; cluster: string; leaf: string; addresses: IpAddress[] }
  /** A plugin chooses the cluster when the RPC is made. */
  | { kind: 'unknown'; why: string };

/** What stands in the way: a resource, or the routes themselves. */
type Blocked =
  | { by: 'target' }
  | { by: 'routes' }
  | { by: 'fault' }
  | { by: 'cluster' | 'endpoints' | 'drop' | 'connection'; cluster: string };

export interface Prediction {
  selection: Selection | undefined;
  outcome: Outcome;
}

export interface PredictOptions {
  nodeId: string | undefined;
  random: () => number;
  /** Whether an address takes connections; where nobody knows, any is taken to do so. */
  isReachable?: (address: IpAddress) => boolean;
}

const UNAVAILABLE = statusCode('UNAVAILABLE');
const MILLION = 1_000_000;

/** Follows an RPC through the configuration, to the status in gRPC's own words (C-core's, to the letter) or to endpoints. */
export function predict(state: ConfigState, call: Call, options: PredictOptions): Prediction {
  if (state.kind === 'error') {
    const outcome = fails(`empty address list (${state.message})`, { by: 'target' });
    return { selection: undefined, outcome };
  }
  if (state.kind !== 'published') {
    return { selection: undefined, outcome: { kind: 'waits', why: 'there is no whole configuration yet' } };
  }
  const selection = select(state.config, call, options.random);
  return { selection, outcome: outcomeOf(selection, state.config, call, options) };
}

export function outcomeOf(selection: Selection, config: XdsConfig, call: Call, options: PredictOptions): Outcome {
  switch (selection.kind) {
    case 'no route':
      return fails('No matching route found in xDS route config', { by: 'routes' });
    case 'no action':
      return fails('Matching route has inappropriate action', { by: 'routes' });
    case 'plugin':
      return { kind: 'unknown', why: `the plugin ${selection.plugin} chooses the cluster` };
    case 'cluster': {
      const { abort } = injected(selection.fault, call);
      return abort?.share === 1 ? aborts(abort.code) : clusterOutcome(selection.cluster, config, options);
    }
  }
}

/** The fault filter ends the call. */
export function aborts(code: number): Outcome {
  return { kind: 'fails', status: { code, message: 'Fault injected' }, blocked: { by: 'fault' } };
}

/** The load assignment wants the call dropped. */
export function drops(category: string, cluster: string): Outcome {
  return fails(`EDS-configured drop: ${category}`, { by: 'drop', cluster });
}

export function clusterOutcome(name: string, config: XdsConfig, options: PredictOptions): Outcome {
  const cluster = config.clusters.get(name);
  if (cluster === undefined || cluster.kind === 'error') {
    return fails(cluster?.message ?? `xDS config has no entry for static cluster ${name}`, {
      by: 'cluster',
      cluster: name,
    });
  }
  const leaves = cluster.kind === 'aggregate' ? cluster.leaves : [name];
  const above = cluster.kind === 'aggregate' ? cluster.note : '';
  // Of several leaves that fail, the last one is heard of.
  let outcome: Outcome = { kind: 'waits', why: `cluster ${name} has no leaves` };
  for (const leaf of leaves) {
    const found = config.clusters.get(leaf);
    if (found?.kind !== 'endpoints') continue;
    outcome = leafOutcome(name, leaf, found, above, config, options);
    if (outcome.kind === 'connects' || (outcome.kind === 'fails' && outcome.blocked.by === 'drop')) return outcome;
  }
  return outcome;
}

function leafOutcome(
  cluster: string,
  leaf: string,
  config: ClusterConfig & { kind: 'endpoints' },
  above: string,
  whole: XdsConfig,
  { nodeId, isReachable = () => true }: PredictOptions,
): Outcome {
  const drop = config.endpoints.endpoints?.drops.find(({ perMillion }) => perMillion >= MILLION);
  if (drop !== undefined) return drops(drop.category, leaf);
  if (config.cluster.maxConcurrentRequests === 0) return fails('circuit breaker drop', { by: 'drop', cluster: leaf });
  const note = [above, resolutionNote(whole, config, nodeId)].filter((text) => text !== '').join('; ');
  const isRing = usesRingHash(config);
  const groups = addressGroups(config);
  if (groups.length === 0) {
    const text = isRing ? `empty address list: ${note}` : `no children in weighted_target policy${inParentheses(note)}`;
    return fails(text, { by: 'endpoints', cluster: leaf });
  }
  const addresses = groups.find((group) => group.some(isReachable));
  if (addresses !== undefined) return { kind: 'connects', cluster, leaf, addresses: addresses.filter(isReachable) };
  const tried = isRing ? groups[0]?.[0] : groups.at(-1)?.at(-1);
  return fails(connectionText(tried as IpAddress, isRing, note), { by: 'connection', cluster: leaf });
}

/** Addresses by priority, the best first; those that have none are passed over. */
function addressGroups({ endpoints }: ClusterConfig & { kind: 'endpoints' }): IpAddress[][] {
  const priorities = endpoints.endpoints?.priorities ?? [];
  return priorities
    .map((localities) => localities.flatMap((locality) => locality.endpoints.flatMap(({ addresses }) => addresses)))
    .filter((group) => group.length > 0);
}

function connectionText(tried: IpAddress, isRing: boolean, note: string): string {
  const how = isRing
    ? 'ring hash cannot find a connected endpoint; first failure'
    : 'connections to all backends failing; last error';
  const reason = `UNKNOWN: ${addressUri(tried)}: Failed to connect to remote host: Connection refused`;
  return `${how}: ${reason}${inParentheses(note)}`;
}

function usesRingHash({ cluster }: ClusterConfig & { kind: 'endpoints' }): boolean {
  return JSON.stringify(cluster.lbPolicy ?? {}).includes('"ring_hash_experimental"');
}

function inParentheses(note: string): string {
  return note === '' ? '' : ` (${note})`;
}

function fails(message: string, blocked: Blocked): Outcome {
  return { kind: 'fails', status: { code: UNAVAILABLE, message }, blocked };
}

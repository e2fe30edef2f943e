import { statusCode } from '../../base/status.js';
import type { StatusTexts } from '../../core/status-texts/status-texts.js';
import { addressUri, type IpAddress } from '../../resources/common/ip-address.js';
import type { EndpointResource } from '../../resources/endpoint.js';
import type { PolicyJson } from '../../resources/lb/xds-policies.js';
import { type Connection, fails, type Outcome } from '../outcome.js';
import { failing, type LbState, ready } from './lb-state.js';

type Locality = EndpointResource['priorities'][number][number];

/** The common inputs of the policies of one priority. */
export interface PriorityContext {
  cluster: string;
  leaf: string;
  /** The note that gRPC appends to the errors of this leaf (A88). */
  note: () => string;
  isReachable: (address: IpAddress) => boolean;
  texts: StatusTexts;
}

/** The state of a cluster's LB policy over the usable endpoints of one priority. */
export function endpointPolicyState(
  policy: PolicyJson | undefined,
  localities: readonly Locality[],
  context: PriorityContext,
): LbState {
  const [name = '', config = {}] = Object.entries(policy ?? {})[0] ?? [];
  switch (name) {
    case 'xds_wrr_locality_experimental':
      return localityState(childOf(config), localities, context);
    case 'outlier_detection_experimental':
      return endpointPolicyState(childOf(config), localities, context);
    case 'ring_hash_experimental':
    case 'round_robin':
    case 'weighted_round_robin':
    case 'pick_first':
      return endpointsState(name, localities, context);
    default:
      return ready({ kind: 'unknown', why: `the LB policy ${name} chooses the endpoint` });
  }
}

/** The first policy of a list; cluster validation removed unsupported ones before it (A52). */
function childOf({ childPolicy }: PolicyJson[string]): PolicyJson | undefined {
  const [first] = Array.isArray(childPolicy) ? childPolicy : [];
  return typeof first === 'object' && first !== null && !Array.isArray(first) ? (first as PolicyJson) : undefined;
}

/** R9.14: weighted_target has a child for each locality with an endpoint; the READY children share the RPCs. */
function localityState(
  child: PolicyJson | undefined,
  localities: readonly Locality[],
  context: PriorityContext,
): LbState {
  const targets = localities.filter(({ endpoints }) => endpoints.length > 0);
  if (targets.length === 0) {
    const { leaf, note, texts } = context;
    const status = texts.leafStatus({ cluster: leaf, policy: 'wrr_locality', note: note(), address: undefined });
    return failing(fails(status, { by: 'endpoints', cluster: leaf }));
  }
  const states = targets.map((target) => ({
    weight: target.weight,
    state: endpointPolicyState(child, [target], context),
  }));
  const isReady = states.some(({ state }) => state.isUsable && !state.isIdle);
  if (!isReady && states.some(({ state }) => state.isIdle)) return ready(neverPicked(context.leaf));
  const picked = states.filter(({ state }) => state.isUsable === isReady);
  const sum = picked.reduce((total, { weight }) => total + weight, 0);
  const picks = picked.flatMap(({ weight, state }) =>
    state.picks.map(({ share, outcome }) => ({ share: (share * weight) / sum, outcome })),
  );
  return { isUsable: isReady, picks: joined(picks) };
}

/** R9.16 (A42): weighted_target queues RPCs while its children are IDLE, and ring_hash stays IDLE until it gets an RPC. */
function neverPicked(leaf: string): Outcome {
  const status = { code: statusCode('DEADLINE_EXCEEDED'), message: 'Deadline Exceeded' };
  return { kind: 'fails', status, blocked: { by: 'policy', cluster: leaf } };
}

/** Localities that connect are one outcome: an RPC is sent to an endpoint of one of them. */
function joined(picks: LbState['picks']): LbState['picks'] {
  const connecting = picks.flatMap(({ share, outcome }) => (outcome.kind === 'connects' ? [{ share, outcome }] : []));
  const [first] = connecting;
  if (first === undefined) return picks;
  const share = connecting.reduce((sum, one) => sum + one.share, 0);
  const { cluster, leaf } = first.outcome;
  const addressesOf = (): IpAddress[] => connecting.flatMap(({ outcome }) => outcome.addresses);
  return [
    { share, outcome: connection(cluster, leaf, addressesOf) },
    ...picks.filter(({ outcome }) => outcome.kind !== 'connects'),
  ];
}

/** R9.15: a policy over endpoints is usable if it can connect to one of them. Each has its own texts. */
function endpointsState(
  policy: string,
  localities: readonly Locality[],
  { cluster, leaf, note, isReachable, texts }: PriorityContext,
): LbState {
  // ring_hash waits for an RPC before it connects, and reports its first failure; the others report the last one.
  const isIdle = policy === 'ring_hash_experimental';
  let [first, last]: (IpAddress | undefined)[] = [];
  for (const address of addressesIn(localities)) {
    if (isReachable(address)) {
      const addressesOf = (): IpAddress[] => Array.from(addressesIn(localities)).filter(isReachable);
      return { ...ready(connection(cluster, leaf, addressesOf)), isIdle };
    }
    first ??= address;
    last = address;
  }
  const tried = isIdle ? first : last;
  const address = tried && addressUri(tried);
  const status = texts.leafStatus({ cluster: leaf, policy, note: note(), address });
  if (address === undefined) return failing(fails(status, { by: 'endpoints', cluster: leaf }));
  return { ...failing(fails(status, { by: 'connection', cluster: leaf })), isIdle };
}

function* addressesIn(localities: readonly Locality[]): Iterable<IpAddress> {
  for (const { endpoints } of localities) for (const { addresses } of endpoints) yield* addresses;
}

function connection(cluster: string, leaf: string, addressesOf: () => IpAddress[]): Connection {
  return {
    kind: 'connects',
    cluster,
    leaf,
    get addresses() {
      return addressesOf();
    },
  };
}

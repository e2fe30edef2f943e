import type { LoadBalancingPolicy } from '../../proto/generated/envoy.config.cluster.v3.js';
import { ClientSideWeightedRoundRobin } from '../../proto/generated/envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.js';
import { PickFirst } from '../../proto/generated/envoy.extensions.load_balancing_policies.pick_first.v3.js';
import {
  RingHash,
  RingHashHashFunction,
} from '../../proto/generated/envoy.extensions.load_balancing_policies.ring_hash.v3.js';
import { WrrLocality } from '../../proto/generated/envoy.extensions.load_balancing_policies.wrr_locality.v3.js';
import type { Json } from '../../proto/json/well-known.js';
import { decode, type MessageType } from '../../proto/message-type.js';
import { readDurationField } from '../common/duration.js';
import { type Extension, withExtension } from '../common/extension.js';
import type { Judgement } from '../judgement.js';
import { isKnownPolicy } from './policy-config.js';
import { DEFAULT_MIN_RING_SIZE, MAX_RING_SIZE } from './ring-size.js';

/** One policy of a service config: its name and its config. */
export type PolicyJson = { [name: string]: { [field: string]: Json } };

const MAX_DEPTH = 16;
const ROUND_ROBIN = 'envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin';

/** The first policy of the list that gRPC knows (A52), as a service config has it; the others are passed over. */
export function convertPolicies(list: LoadBalancingPolicy, j: Judgement, depth = 0): PolicyJson | undefined {
  if (depth >= MAX_DEPTH) return j.refuse(`exceeded max recursion depth of ${MAX_DEPTH}`);
  const before = j.errors.size;
  for (const [i, { typedExtensionConfig }] of list.policies.entries()) {
    const step = j.segment(`.policies[${i}].typed_extension_config`, ['policies', i, 'typed_extension_config'], () => {
      if (typedExtensionConfig === undefined) return j.refuse('field not present');
      return j.field('typed_config', () =>
        withExtension(typedExtensionConfig.typedConfig, j, (extension) => convertOne(extension, j, depth)),
      );
    });
    if (step === undefined) return undefined;
    if (step !== 'unsupported') return step.policy;
  }
  if (j.errors.size === before) j.refuse('no supported load balancing policy config found');
  return undefined;
}

type Step = { policy: PolicyJson | undefined } | 'unsupported';

function convertOne({ type, value }: Extension, j: Judgement, depth: number): Step {
  if (value.kind === 'json') {
    if (isKnownPolicy(type)) return { policy: { [type]: value.json } };
    j.ignore('LB policy', `gRPC has no LB policy called ${type}: it takes the next in the list`);
    return 'unsupported';
  }
  const convert = CONVERTERS[type];
  if (convert !== undefined) return { policy: convert(value.bytes, j, depth) };
  j.ignore('LB policy', `gRPC has no LB policy for ${type}: it takes the next in the list`);
  return 'unsupported';
}

type Convert = (bytes: Uint8Array, j: Judgement, depth: number) => PolicyJson | undefined;

const CONVERTERS: Record<string, Convert | undefined> = {
  // Its content is not even decoded.
  [ROUND_ROBIN]: () => ({ round_robin: {} }),
  [RingHash.typeName]: decoding(RingHash, convertRingHash),
  [WrrLocality.typeName]: decoding(WrrLocality, convertWrrLocality),
  [ClientSideWeightedRoundRobin.typeName]: decoding(ClientSideWeightedRoundRobin, convertWeightedRoundRobin),
  [PickFirst.typeName]: decoding(PickFirst, ({ shuffleAddressList }) => ({ pick_first: { shuffleAddressList } })),
};

function decoding<T>(
  type: MessageType<T>,
  convert: (config: T, j: Judgement, depth: number) => PolicyJson | undefined,
): Convert {
  return (bytes, j, depth) => {
    const decoded = decode(type, bytes);
    if (decoded.ok) return convert(decoded.value, j, depth);
    return j.refuse(`can't decode ${type.typeName.slice(type.typeName.lastIndexOf('.') + 1)} LB policy config`);
  };
}

function convertRingHash(config: RingHash, j: Judgement): PolicyJson {
  const { hashFunction } = config;
  if (hashFunction !== RingHashHashFunction.XX_HASH && hashFunction !== RingHashHashFunction.DEFAULT_HASH) {
    j.refuseField('hash_function', 'unsupported value (must be XX_HASH)');
  }
  const max = config.maximumRingSize ?? MAX_RING_SIZE;
  const min = config.minimumRingSize ?? DEFAULT_MIN_RING_SIZE;
  const isBad = (size: bigint): boolean => size === 0n || size > MAX_RING_SIZE;
  const range = `value must be in the range [1, ${MAX_RING_SIZE}]`;
  if (isBad(max)) j.refuseField('maximum_ring_size', range);
  if (isBad(min)) j.refuseField('minimum_ring_size', range);
  if (min > max) j.refuseField('minimum_ring_size', 'cannot be greater than maximum_ring_size');
  return { ring_hash_experimental: { minRingSize: Number(min), maxRingSize: Number(max) } };
}

function convertWrrLocality({ endpointPickingPolicy }: WrrLocality, j: Judgement, depth: number): PolicyJson {
  const child = j.field('endpoint_picking_policy', () =>
    endpointPickingPolicy === undefined
      ? j.refuse('field not present')
      : convertPolicies(endpointPickingPolicy, j, depth + 1),
  );
  return { xds_wrr_locality_experimental: { childPolicy: child === undefined ? [] : [child] } };
}

function convertWeightedRoundRobin(message: ClientSideWeightedRoundRobin, j: Judgement): PolicyJson {
  const config: { [field: string]: Json } = {};
  if (message.enableOobLoadReport === true) config.enableOobLoadReport = true;
  const periods = [
    ['oob_reporting_period', 'oobReportingPeriod', message.oobReportingPeriod],
    ['blackout_period', 'blackoutPeriod', message.blackoutPeriod],
    ['weight_update_period', 'weightUpdatePeriod', message.weightUpdatePeriod],
    ['weight_expiration_period', 'weightExpirationPeriod', message.weightExpirationPeriod],
  ] as const;
  for (const [field, key, duration] of periods) {
    const ms = readDurationField(field, duration, j);
    if (ms !== undefined) config[key] = `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}000000s`;
  }
  const penalty = message.errorUtilizationPenalty;
  if (penalty !== undefined) {
    if (penalty < 0) j.refuseField('error_utilization_penalty', 'value must be non-negative');
    config.errorUtilizationPenalty = penalty;
  }
  if (message.metricNamesForComputingUtilization.length > 0) {
    config.metricNamesForComputingUtilization = [...message.metricNamesForComputingUtilization];
  }
  return { weighted_round_robin: config };
}

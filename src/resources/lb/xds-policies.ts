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
import type { Validation } from '../validation.js';
import { isKnownPolicy } from './policy-config.js';
import { DEFAULT_MIN_RING_SIZE, MAX_RING_SIZE } from './ring-size.js';

/** One LB policy of a service config: its name and its config. */
export type PolicyJson = { [name: string]: { [field: string]: Json } };

const MAX_DEPTH = 16;
const ROUND_ROBIN = 'envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin';

/**
 * Converts the first policy of the list that gRPC supports (A52) to its service config form, and ignores the policies
 * before it.
 */
export function convertPolicies(list: LoadBalancingPolicy, validation: Validation, depth = 0): PolicyJson | undefined {
  if (depth >= MAX_DEPTH) return validation.addError(`exceeded max recursion depth of ${MAX_DEPTH}`);
  const before = validation.errors.size;
  for (const [i, { typedExtensionConfig }] of list.policies.entries()) {
    const conversion = validation.segment(
      `.policies[${i}].typed_extension_config`,
      ['policies', i, 'typed_extension_config'],
      () => {
        if (typedExtensionConfig === undefined) return validation.addError('field not present');
        return validation.field('typed_config', () =>
          withExtension(typedExtensionConfig.typedConfig, validation, (extension) =>
            convertOne(extension, validation, depth),
          ),
        );
      },
    );
    if (conversion === undefined) return undefined;
    if (conversion !== 'unsupported') return conversion.policy;
  }
  if (validation.errors.size === before) validation.addError('no supported load balancing policy config found');
  return undefined;
}

type Conversion = { policy: PolicyJson | undefined } | 'unsupported';

function convertOne({ type, value }: Extension, validation: Validation, depth: number): Conversion {
  if (value.kind === 'json') {
    if (isKnownPolicy(type)) return { policy: { [type]: value.json } };
    validation.ignore('LB policy', `gRPC does not support the LB policy ${type}: it uses the next policy in the list`);
    return 'unsupported';
  }
  const convert = CONVERTERS[type];
  if (convert !== undefined) return { policy: convert(value.bytes, validation, depth) };
  validation.ignore('LB policy', `gRPC does not support the LB policy ${type}: it uses the next policy in the list`);
  return 'unsupported';
}

type Convert = (bytes: Uint8Array, validation: Validation, depth: number) => PolicyJson | undefined;

const CONVERTERS: Record<string, Convert | undefined> = {
  // C-core does not decode this config.
  [ROUND_ROBIN]: () => ({ round_robin: {} }),
  [RingHash.typeName]: decoding(RingHash, convertRingHash),
  [WrrLocality.typeName]: decoding(WrrLocality, convertWrrLocality),
  [ClientSideWeightedRoundRobin.typeName]: decoding(ClientSideWeightedRoundRobin, convertWeightedRoundRobin),
  [PickFirst.typeName]: decoding(PickFirst, ({ shuffleAddressList }) => ({ pick_first: { shuffleAddressList } })),
};

function decoding<T>(
  type: MessageType<T>,
  convert: (config: T, validation: Validation, depth: number) => PolicyJson | undefined,
): Convert {
  return (bytes, validation, depth) => {
    const decoded = decode(type, bytes);
    if (decoded.ok) return convert(decoded.value, validation, depth);
    return validation.addError(
      `can't decode ${type.typeName.slice(type.typeName.lastIndexOf('.') + 1)} LB policy config`,
    );
  };
}

function convertRingHash(config: RingHash, validation: Validation): PolicyJson {
  const { hashFunction } = config;
  if (hashFunction !== RingHashHashFunction.XX_HASH && hashFunction !== RingHashHashFunction.DEFAULT_HASH) {
    validation.addFieldError('hash_function', 'unsupported value (must be XX_HASH)');
  }
  const max = config.maximumRingSize ?? MAX_RING_SIZE;
  const min = config.minimumRingSize ?? DEFAULT_MIN_RING_SIZE;
  const isBad = (size: bigint): boolean => size === 0n || size > MAX_RING_SIZE;
  const range = `value must be in the range [1, ${MAX_RING_SIZE}]`;
  if (isBad(max)) validation.addFieldError('maximum_ring_size', range);
  if (isBad(min)) validation.addFieldError('minimum_ring_size', range);
  if (min > max) validation.addFieldError('minimum_ring_size', 'cannot be greater than maximum_ring_size');
  return { ring_hash_experimental: { minRingSize: Number(min), maxRingSize: Number(max) } };
}

function convertWrrLocality({ endpointPickingPolicy }: WrrLocality, validation: Validation, depth: number): PolicyJson {
  const child = validation.field('endpoint_picking_policy', () =>
    endpointPickingPolicy === undefined
      ? validation.addError('field not present')
      : convertPolicies(endpointPickingPolicy, validation, depth + 1),
  );
  return { xds_wrr_locality_experimental: { childPolicy: child === undefined ? [] : [child] } };
}

function convertWeightedRoundRobin(message: ClientSideWeightedRoundRobin, validation: Validation): PolicyJson {
  const config: { [field: string]: Json } = {};
  if (message.enableOobLoadReport === true) config.enableOobLoadReport = true;
  const periods = [
    ['oob_reporting_period', 'oobReportingPeriod', message.oobReportingPeriod],
    ['blackout_period', 'blackoutPeriod', message.blackoutPeriod],
    ['weight_update_period', 'weightUpdatePeriod', message.weightUpdatePeriod],
    ['weight_expiration_period', 'weightExpirationPeriod', message.weightExpirationPeriod],
  ] as const;
  for (const [field, key, duration] of periods) {
    const ms = readDurationField(field, duration, validation);
    if (ms !== undefined) config[key] = `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}000000s`;
  }
  const penalty = message.errorUtilizationPenalty;
  if (penalty !== undefined) {
    if (penalty < 0) validation.addFieldError('error_utilization_penalty', 'value must be non-negative');
    config.errorUtilizationPenalty = penalty;
  }
  if (message.metricNamesForComputingUtilization.length > 0) {
    config.metricNamesForComputingUtilization = [...message.metricNamesForComputingUtilization];
  }
  return { weighted_round_robin: config };
}

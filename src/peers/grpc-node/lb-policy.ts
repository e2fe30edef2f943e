import type { NodeContext, NodeSwitches } from './environment.js';
import { checkConfig, isRegistered } from './lb-config.js';
import type { ProblemList } from './problem-list.js';
import { decodeAsProtobufJs, type ProtobufJsMessage } from './protobufjs-message.js';
import { type JsonObject, structToJson } from './struct-json.js';
import { ThrownError } from './thrown-error.js';
import { typedStructOf, urlOf } from './types.js';

const POLICIES = 'envoy.extensions.load_balancing_policies';
const ROUND_ROBIN = `${POLICIES}.round_robin.v3.RoundRobin`;
const PICK_FIRST = `${POLICIES}.pick_first.v3.PickFirst`;
const RING_HASH = `${POLICIES}.ring_hash.v3.RingHash`;
const WEIGHTED_ROUND_ROBIN = `${POLICIES}.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin`;
const WRR_LOCALITY = `${POLICIES}.wrr_locality.v3.WrrLocality`;
const MAX_RECURSION = 16;

/** Adds the problem of a LoadBalancingPolicy, and the candidates before the used one as ignored parts. */
export function checkPolicyMessage(policy: ProtobufJsMessage, { switches }: NodeContext, problems: ProblemList): void {
  try {
    const { config, index } = convert(policy, switches, 0);
    for (let i = 0; i < index; i++)
      problems.ignore(
        'LB policy',
        'grpc-js-xds does not support this LB policy',
        'load_balancing_policy',
        'policies',
        i,
      );
    checkConfig(config, switches);
  } catch (error) {
    if (!(error instanceof ThrownError)) throw error;
    problems.add(`load_balancing_policy parsing failed with error ${error.message}`, 'load_balancing_policy');
  }
}

/** The config of a policy that is valid. */
export function configOf(policy: ProtobufJsMessage, { switches }: NodeContext): JsonObject {
  return convert(policy, switches, 0).config;
}

/** Returns the config of the first policy in a list that grpc-js-xds supports, and its index. */
function convert(
  policy: ProtobufJsMessage,
  switches: NodeSwitches,
  depth: number,
): { config: JsonObject; index: number } {
  if (depth > MAX_RECURSION)
    throw new ThrownError(`convertToLoadBalancingConfig: Max recursion depth ${MAX_RECURSION} reached`);
  for (const [index, candidate] of policy.messages('policies').entries()) {
    const extension = candidate.message('typed_extension_config');
    const any = extension?.message('typed_config');
    if (extension === undefined || any === undefined) continue;
    const url = any.text('type_url');
    try {
      const config = convertOne(url, any, switches, depth);
      if (config !== undefined) return { config, index };
    } catch (error) {
      if (!(error instanceof ThrownError)) throw error;
      const name = extension.text('name');
      throw new ThrownError(`Error parsing ${url} LoadBalancingPolicy named ${name}: ${error.message}`);
    }
  }
  throw new ThrownError('No registered LB policy found in list');
}

/** Returns undefined for a policy that grpc-js-xds does not support. */
function convertOne(
  url: string,
  any: ProtobufJsMessage,
  switches: NodeSwitches,
  depth: number,
): JsonObject | undefined {
  const decode = (type: string): ProtobufJsMessage => decodeAsProtobufJs(type, any.bytes('value'));
  const typedStruct = typedStructOf(url);
  if (typedStruct !== undefined) return convertTypedStruct(decode(typedStruct), switches);
  if (url === urlOf(ROUND_ROBIN)) return { round_robin: {} };
  if (url === urlOf(PICK_FIRST) && switches.pickFirst)
    return { pick_first: { shuffleAddressList: decode(PICK_FIRST).bool('shuffle_address_list') } };
  if (url === urlOf(RING_HASH) && switches.ringHash) return convertRingHash(decode(RING_HASH));
  if (url === urlOf(WEIGHTED_ROUND_ROBIN) && switches.weightedRoundRobin)
    return convertWeighted(decode(WEIGHTED_ROUND_ROBIN));
  // A second converter is registered by mistake for the type name without a host; it uses an LB policy that does not exist.
  const isUnknown = url === WRR_LOCALITY;
  if (url !== urlOf(WRR_LOCALITY) && !isUnknown) return undefined;
  const child = decode(WRR_LOCALITY).message('endpoint_picking_policy');
  if (child === undefined)
    throw new ThrownError(
      isUnknown
        ? 'WRR Locality LB policy parsing error: no endpoint_picking_policy set'
        : 'WRR Locality LB parsing error: no endpoint_picking_policy specified',
    );
  const { config } = convert(child, switches, depth + 1);
  return isUnknown
    ? { wrr_locality: { shuffleAddressList: config } }
    : { xds_wrr_locality: { child_policy: [config] } };
}

function convertTypedStruct(struct: ProtobufJsMessage, switches: NodeSwitches): JsonObject | undefined {
  const value = struct.message('value');
  if (value === undefined) throw new ThrownError('Typed struct LB parsing error: unexpected value null');
  const url = struct.text('type_url');
  const name = url.slice(url.lastIndexOf('/') + 1);
  return isRegistered(name, switches) ? { [name]: structToJson(value) } : undefined;
}

/** A size is a text here, which the LB policy rejects. */
function convertRingHash(message: ProtobufJsMessage): JsonObject {
  const hash = message.enumName('hash_function');
  if (hash !== 'XX_HASH') throw new ThrownError(`Ring Hash LB policy parsing error: unexpected hash function ${hash}`);
  return {
    ring_hash: {
      min_ring_size: message.message('minimum_ring_size')?.long('value') ?? 1024,
      max_ring_size: message.message('maximum_ring_size')?.long('value') ?? 8_388_608,
    },
  };
}

function convertWeighted(message: ProtobufJsMessage): JsonObject {
  const duration = (field: string): JsonObject | null => {
    const value = message.message(field);
    return value === undefined ? null : { seconds: value.long('seconds'), nanos: value.number('nanos') };
  };
  return {
    weighted_round_robin: {
      enable_oob_load_report: message.message('enable_oob_load_report')?.bool('value'),
      oob_load_reporting_period: duration('oob_reporting_period'),
      blackout_period: duration('blackout_period'),
      weight_expiration_period: duration('weight_expiration_period'),
      weight_update_period: duration('weight_update_period'),
      error_utilization_penalty: message.message('error_utilization_penalty')?.number('value'),
    },
  };
}

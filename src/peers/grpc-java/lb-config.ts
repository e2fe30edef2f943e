import { formatDuration } from '../../proto/json/well-known.js';
import { isType, unpackAny } from './decode-message.js';
import { checkDuration } from './duration.js';
import { catching, invalid, within } from './java-error.js';
import { type JavaJson, type JavaJsonObject, structToJson } from './json-format.js';
import { isLbPolicy } from './lb-policies.js';
import type { ProtoMessage } from './proto-message.js';
import type { Settings } from './settings.js';
import { textFormat } from './text-format.js';

const MAX_RECURSION = 16;

/** Converts the LB policy of a cluster to the JSON of a service config. */
export function newLbConfig(cluster: ProtoMessage, settings: Settings): JavaJsonObject {
  if (cluster.has('load_balancing_policy'))
    return within(['load_balancing_policy'], () => convertPolicies(cluster.message('load_balancing_policy'), 0));
  return within(['lb_policy'], () => convertLegacy(cluster, settings));
}

function convertLegacy(cluster: ProtoMessage, { flags }: Settings): JavaJsonObject {
  const name = cluster.string('name');
  const policy = cluster.enumName('lb_policy');
  switch (policy) {
    case 'RING_HASH': {
      const config = cluster.message('ring_hash_lb_config');
      if (config.enumName('hash_function') !== 'XX_HASH')
        invalid(`Cluster ${name}: invalid ring hash function: ${textFormat(config)}`);
      return ringHash(config);
    }
    case 'ROUND_ROBIN':
      return wrrLocality(object('round_robin', new Map()));
    case 'LEAST_REQUEST':
      if (flags.leastRequest) return wrrLocality(leastRequest(cluster.message('least_request_lb_config')));
  }
  return invalid(`Cluster ${name}: unsupported lb policy: ${policy}`);
}

/** The types of LB policies that grpc-java converts. */
const CONVERTERS: Record<string, (config: ProtoMessage, depth: number) => JavaJsonObject> = {
  'envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash': (config) => {
    if (config.enumName('hash_function') !== 'XX_HASH')
      invalid(`Invalid ring hash function: ${config.enumName('hash_function')}`);
    return ringHash(config);
  },
  'envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality': (config, depth) =>
    wrrLocality(
      within(['endpoint_picking_policy'], () => convertPolicies(config.message('endpoint_picking_policy'), depth + 1)),
    ),
  'envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin': () => object('round_robin', new Map()),
  'envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest': (config) => leastRequest(config),
  'envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin': (
    config,
  ) => weightedRoundRobin(config),
  'envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst': (config) =>
    object('pick_first', new Map([['shuffleAddressList', config.bool('shuffle_address_list')]])),
  'xds.type.v3.TypedStruct': typedStruct,
  'udpa.type.v1.TypedStruct': typedStruct,
};

const ROUND_ROBIN = 'envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin';

function convertPolicies(policy: ProtoMessage, depth: number): JavaJsonObject {
  if (depth > MAX_RECURSION) invalid('Maximum LB config recursion depth reached: null');
  for (const [index, one] of policy.messages('policies').entries()) {
    const config = within(['policies', index, 'typed_extension_config', 'typed_config'], () =>
      convertPolicy(one.message('typed_extension_config').message('typed_config'), depth),
    );
    const [name] = config?.keys() ?? [];
    if (config !== undefined && isLbPolicy(name as string)) return config;
  }
  return invalid(`Invalid LoadBalancingPolicy: ${textFormat(policy)}`);
}

/** Returns `undefined` for a type that grpc-java does not know. */
function convertPolicy(any: ProtoMessage, depth: number): JavaJsonObject | undefined {
  const url = any.string('type_url');
  for (const [typeName, convert] of Object.entries(CONVERTERS)) {
    if (!isType(url, typeName)) continue;
    // grpc-java does not decode the config of round_robin.
    if (typeName === ROUND_ROBIN) return convert(any, depth);
    const config = catching(
      ['proto'],
      () => unpackAny(any, typeName),
      (error) => `Unable to unpack typedConfig for: ${url}: ${error.detail}`,
    );
    return convert(config, depth);
  }
  return undefined;
}

function typedStruct(struct: ProtoMessage): JavaJsonObject {
  const typeUrl = struct.string('type_url');
  return object(typeUrl.slice(typeUrl.lastIndexOf('/') + 1), structToJson(struct.message('value')));
}

function ringHash(config: ProtoMessage): JavaJsonObject {
  const size = (name: string): number => Number(config.message(name).long('value'));
  return object('ring_hash_experimental', [
    ...(config.has('minimum_ring_size') ? [['minRingSize', size('minimum_ring_size')] as const] : []),
    ...(config.has('maximum_ring_size') ? [['maxRingSize', size('maximum_ring_size')] as const] : []),
  ]);
}

function leastRequest(config: ProtoMessage): JavaJsonObject {
  const count = config.has('choice_count')
    ? [['choiceCount', config.message('choice_count').int('value')] as const]
    : [];
  return object('least_request_experimental', count);
}

const WRR_DURATIONS = [
  ['blackout_period', 'blackoutPeriod'],
  ['weight_expiration_period', 'weightExpirationPeriod'],
  ['oob_reporting_period', 'oobReportingPeriod'],
  ['weight_update_period', 'weightUpdatePeriod'],
] as const;

function weightedRoundRobin(config: ProtoMessage): JavaJsonObject {
  const durations = catching(
    ['argument'],
    () =>
      WRR_DURATIONS.filter(([field]) => config.has(field)).map(([field, key]) => {
        const duration = config.message(field);
        checkDuration(duration);
        return [key, formatDuration(duration.long('seconds'), duration.int('nanos')) as string] as const;
      }),
    (error) => `Invalid duration in weighted round robin config: ${error.detail}`,
  );
  return object('weighted_round_robin', durations);
}

function wrrLocality(child: JavaJsonObject): JavaJsonObject {
  return object('wrr_locality_experimental', [['childPolicy', [child]]]);
}

function object(name: string, entries: Iterable<readonly [string, JavaJson]>): JavaJsonObject {
  return new Map([[name, new Map(entries)]]);
}

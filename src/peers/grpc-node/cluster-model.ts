import type { ClusterResource } from '../../resources/cluster.js';
import type { PolicyJson } from '../../resources/lb/xds-policies.js';
import type { NodeContext } from './environment.js';
import { configOf } from './lb-policy.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';
import type { JsonObject, JsonValue } from './struct-json.js';

const DEFAULT_MAX_REQUESTS = 1024;

/** The cluster as grpc-js-xds uses it: its LB policy, and the last limit of the default priority instead of the first. */
export function clusterModel(
  cluster: ClusterResource,
  message: ProtobufJsMessage,
  context: NodeContext,
): ClusterResource {
  const limits = message.message('circuit_breakers')?.messages('thresholds') ?? [];
  const limit = limits.filter((threshold) => threshold.enumName('priority') === 'DEFAULT').at(-1);
  const maxConcurrentRequests = limit?.message('max_requests')?.number('value') ?? DEFAULT_MAX_REQUESTS;
  const policy = message.message('load_balancing_policy');
  const lbPolicy =
    policy !== undefined && context.switches.customLbConfig ? inCCore(configOf(policy, context)) : fromName(message);
  return { ...cluster, maxConcurrentRequests, lbPolicy };
}

function fromName(message: ProtobufJsMessage): PolicyJson {
  if (message.enumName('lb_policy') === 'ROUND_ROBIN')
    return inCCore({ xds_wrr_locality: { child_policy: [{ round_robin: {} }] } });
  const config = message.message('ring_hash_lb_config');
  const size = (field: string, byDefault: number): number =>
    config?.has(field) ? Number(config.message(field)?.long('value')) : byDefault;
  const sizes = { min_ring_size: size('minimum_ring_size', 1024), max_ring_size: size('maximum_ring_size', 8_388_608) };
  return inCCore({ ring_hash: sizes });
}

/** The policy with the names that C-core gives to policies and their fields. */
function inCCore(config: JsonObject): PolicyJson {
  const [[name, value] = ['', {}]] = Object.entries(config);
  const fields = (value ?? {}) as JsonObject;
  if (name === 'xds_wrr_locality') {
    const children = (fields.child_policy as JsonValue[]).map((child) => inCCore(child as JsonObject));
    return { xds_wrr_locality_experimental: { childPolicy: children } };
  }
  if (name === 'ring_hash') {
    const minRingSize = Number(fields.min_ring_size ?? 1024);
    return { ring_hash_experimental: { minRingSize, maxRingSize: Number(fields.max_ring_size ?? 4096) } };
  }
  if (name === 'pick_first') return { pick_first: { shuffleAddressList: fields.shuffleAddressList === true } };
  // The prediction needs only the names of the other policies.
  return { [name]: {} };
}

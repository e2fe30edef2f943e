import type { Json } from '../proto/json/well-known.js';
import {
  fieldOf,
  find,
  findAll,
  isObject,
  itemsOf,
  type LocatedValue,
  typeNameOf,
  typeUrlOf,
  valueAt,
} from './located-value.js';
import { resourceOf, type Subject } from './subject.js';

const POLICIES = 'envoy.extensions.load_balancing_policies.';
const GRPC_POLICIES = /\.(RingHash|WrrLocality|ClientSideWeightedRoundRobin|PickFirst|RoundRobin|TypedStruct)$/;
const ENVOY_POLICIES =
  /\.(RingHash|WrrLocality|ClientSideWeightedRoundRobin|RoundRobin|LeastRequest|Random|Maglev|Subset|ClusterProvided)$/;
const JS_MAX_DEPTH = 16;

/** The names that @grpc/grpc-js and @grpc/grpc-js-xds register for `TypedStruct`. */
const JS_POLICY_NAMES = new Set([
  'round_robin',
  'pick_first',
  'outlier_detection',
  'weighted_round_robin',
  'priority',
  'weighted_target',
  'ring_hash',
  'xds_cluster_impl',
  'xds_cluster_manager',
  'xds_wrr_locality',
]);

function candidates(list: LocatedValue): LocatedValue[] {
  return find(list, 'policies[].typedExtensionConfig.typedConfig');
}

/** Returns the name in a `TypedStruct`, or the type name of another message. */
function policyName(config: Json): string {
  const inner = fieldOf(config, 'typeUrl');
  if (!typeNameOf(config).endsWith('.TypedStruct') || typeof inner !== 'string') return typeNameOf(config);
  return inner.slice(inner.lastIndexOf('/') + 1);
}

/** Returns the first policy of a list that gRPC supports, and its child policies. */
function chosenFrom(list: LocatedValue): LocatedValue[] {
  const chosen = candidates(list).find(({ value }) => GRPC_POLICIES.test(typeNameOf(value)));
  if (chosen === undefined) return [];
  return [chosen, ...find(chosen, 'endpointPickingPolicy').flatMap(chosenFrom)];
}

export function policyLists(subject: Subject): LocatedValue[] {
  return findAll(resourceOf(subject, 'Cluster'), 'loadBalancingPolicy');
}

export function chosenPolicies(subject: Subject, name: string): LocatedValue[] {
  return policyLists(subject)
    .flatMap(chosenFrom)
    .filter(({ value }) => policyName(value).endsWith(name));
}

/** Whether the next supported policy after an entry, and every policy nested in it, is one that gRPC supports. */
export function hasLaterPolicy(list: Json | undefined, index: number): boolean {
  const config = itemsOf(fieldOf(list, 'policies'))
    .slice(index + 1)
    .map((entry) => valueAt(entry, 'typedExtensionConfig.typedConfig'))
    .find((typed) => GRPC_POLICIES.test(typeNameOf(typed)));
  if (config === undefined) return false;
  const inner = fieldOf(config, 'endpointPickingPolicy');
  return inner === undefined || hasLaterPolicy(inner, -1);
}

/** Whether @grpc/grpc-js-xds finds a policy in the list that it supports and that is valid. */
export function isJsList(list: Json, depth = 0): boolean {
  if (depth > JS_MAX_DEPTH) return false;
  for (const { value } of candidates({ path: '', value: list })) {
    const isUsable = isUsableInJs(value, depth);
    if (isUsable !== undefined) return isUsable;
  }
  return false;
}

/** Whether @grpc/grpc-js-xds can use this policy; `undefined` if it continues with the next entry. */
function isUsableInJs(config: Json, depth: number): boolean | undefined {
  const url = typeUrlOf(config);
  if (!url.startsWith('type.googleapis.com/')) return undefined;
  if (url.endsWith('.RoundRobin')) return true;
  if (url.endsWith('.RingHash')) return isJsRing(config, depth);
  if (url.endsWith('.WrrLocality')) {
    const inner = fieldOf(config, 'endpointPickingPolicy');
    return inner !== undefined && isJsList(inner, depth + 1);
  }
  if (!url.endsWith('.TypedStruct') || !JS_POLICY_NAMES.has(policyName(config))) return undefined;
  return fieldOf(config, 'value') !== undefined;
}

/** grpc-js-xds reads ring sizes as strings and then expects numbers, but only if the policy is not nested. */
function isJsRing(config: Json, depth: number): boolean {
  const hasSizes = ['minimumRingSize', 'maximumRingSize'].some((name) => fieldOf(config, name) !== undefined);
  return fieldOf(config, 'hashFunction') === 'XX_HASH' && (depth > 0 || !hasSizes);
}

/** Whether the list contains a `TypedStruct` with fields, which could be invalid. */
export function hasTypedStructFields(list: LocatedValue): boolean {
  return candidates(list).some(({ value }) => {
    const inside = fieldOf(value, 'value');
    return typeNameOf(value).endsWith('.TypedStruct') && isObject(inside) && Object.keys(inside).length > 0;
  });
}

/** Returns the policy that Envoy uses from a list. */
export function envoyChoice(list: LocatedValue): { config: LocatedValue; name: string } | undefined {
  return candidates(list)
    .map((config) => ({ config, name: policyName(config.value) }))
    .find(({ name }) => name.startsWith(POLICIES) && ENVOY_POLICIES.test(name));
}

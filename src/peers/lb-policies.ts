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

/** What @grpc/grpc-js and @grpc/grpc-js-xds register for `TypedStruct`. */
const JS_NAMES = new Set([
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

/** The name that a `TypedStruct` gives, or the message's own. */
function policyName(config: Json): string {
  const inner = fieldOf(config, 'typeUrl');
  if (!typeNameOf(config).endsWith('.TypedStruct') || typeof inner !== 'string') return typeNameOf(config);
  return inner.slice(inner.lastIndexOf('/') + 1);
}

/** The policy that gRPC takes from a list, with those inside it: the first that it knows. */
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

/** Whether an entry after this one is a policy that gRPC knows. */
export function hasLaterPolicy(list: Json | undefined, index: number): boolean {
  return itemsOf(fieldOf(list, 'policies'))
    .slice(index + 1)
    .some((entry) => GRPC_POLICIES.test(typeNameOf(valueAt(entry, 'typedExtensionConfig.typedConfig'))));
}

/** Whether @grpc/grpc-js-xds finds a policy in the list that it has and can use. */
export function isJsList(list: Json, depth = 0): boolean {
  if (depth > JS_MAX_DEPTH) return false;
  for (const { value } of candidates({ path: '', value: list })) {
    const decided = jsDecision(value, depth);
    if (decided !== undefined) return decided;
  }
  return false;
}

/** `undefined`: it goes on to the next entry. */
function jsDecision(config: Json, depth: number): boolean | undefined {
  const url = typeUrlOf(config);
  if (!url.startsWith('type.googleapis.com/')) return undefined;
  if (url.endsWith('.RoundRobin')) return true;
  if (url.endsWith('.RingHash')) return isJsRing(config, depth);
  if (url.endsWith('.WrrLocality')) {
    const inner = fieldOf(config, 'endpointPickingPolicy');
    return inner !== undefined && isJsList(inner, depth + 1);
  }
  if (!url.endsWith('.TypedStruct') || !JS_NAMES.has(policyName(config))) return undefined;
  return fieldOf(config, 'value') !== undefined;
}

/** It reads sizes as text and then wants numbers, but only of a policy that is in no other. */
function isJsRing(config: Json, depth: number): boolean {
  const hasSizes = ['minimumRingSize', 'maximumRingSize'].some((name) => fieldOf(config, name) !== undefined);
  return fieldOf(config, 'hashFunction') === 'XX_HASH' && (depth > 0 || !hasSizes);
}

/** A `TypedStruct` with anything in it that could be wrong. */
export function hasTypedStructFields(list: LocatedValue): boolean {
  return candidates(list).some(({ value }) => {
    const inside = fieldOf(value, 'value');
    return typeNameOf(value).endsWith('.TypedStruct') && isObject(inside) && Object.keys(inside).length > 0;
  });
}

/** The policy that Envoy takes from a list. */
export function envoyChoice(list: LocatedValue): { config: LocatedValue; name: string } | undefined {
  return candidates(list)
    .map((config) => ({ config, name: policyName(config.value) }))
    .find(({ name }) => name.startsWith(POLICIES) && ENVOY_POLICIES.test(name));
}

import type { MessageView } from '../message-view.js';
import { typeUrlOf, UDPA_TYPED_STRUCT, unmarshal, XDS_TYPED_STRUCT } from './any.js';
import { jsonDuration, nanosOf } from './durations.js';
import type { GoContext } from './go-context.js';
import { type GoJson, indentedJson, structJson } from './go-json.js';
import { isRegistered, lbConfigError } from './lb-config.js';
import { reject, within } from './rejection.js';
import { enumText, printMessage } from './text-format.js';

const PREFIX = 'type.googleapis.com/';
const POLICIES = 'envoy.extensions.load_balancing_policies.';
const MAX_DEPTH = 15;

/** Converts the config of a policy to a service config; `undefined` if grpc-go skips the policy. */
type Convert = (any: MessageView, depth: number) => GoJson | undefined;

const CONVERTERS = new Map<string, Convert>([
  [`${PREFIX}${POLICIES}client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin`, convertWeightedRoundRobin],
  [`${PREFIX}${POLICIES}ring_hash.v3.RingHash`, convertRingHash],
  [`${PREFIX}${POLICIES}pick_first.v3.PickFirst`, convertPickFirst],
  [`${PREFIX}${POLICIES}round_robin.v3.RoundRobin`, () => configJson('round_robin', [])],
  [`${PREFIX}${POLICIES}wrr_locality.v3.WrrLocality`, convertWrrLocality],
  [`${PREFIX}${POLICIES}least_request.v3.LeastRequest`, convertLeastRequest],
  [`${PREFIX}${XDS_TYPED_STRUCT}`, (any) => convertTypedStruct(XDS_TYPED_STRUCT, any)],
  [`${PREFIX}${UDPA_TYPED_STRUCT}`, (any) => convertTypedStruct(UDPA_TYPED_STRUCT, any)],
]);

/** Validates `load_balancing_policy` as grpc-go does: as the service config that it becomes (A52). */
export function validateLbPolicies(cluster: MessageView, context: GoContext): void {
  const policy = cluster.message('load_balancing_policy');
  if (policy === undefined) return;
  const config = within(
    (error) => {
      const where = `error converting LoadBalancingPolicy ${printMessage(policy)}`;
      return `${where} in response: ${printMessage(cluster)}: ${error}`;
    },
    () => convert(policy, cluster, 0),
  );
  const error = lbConfigError(config, context);
  if (error !== undefined)
    reject(policy, `JSON generated from xDS LB policy registry: ${indentedJson(config)} is invalid: ${error}`);
}

function convert(policy: MessageView | undefined, parent: MessageView, depth: number): GoJson {
  if (depth > MAX_DEPTH)
    reject(policy ?? parent, `lb policy ${printMessage(policy)} exceeds max depth supported: 16 layers`);
  for (const one of policy?.messages('policies') ?? []) {
    const any = one.message('typed_extension_config')?.message('typed_config');
    const json = any && CONVERTERS.get(typeUrlOf(any))?.(any, depth);
    if (json !== undefined) return json;
  }
  return reject(policy ?? parent, `no supported policy found in policy list +${printMessage(policy)}`);
}

/** The service config of one policy. */
function policyJson(name: string, config: GoJson): GoJson {
  return [new Map([[name, config]])];
}

function configJson(name: string, entries: readonly (readonly [string, GoJson])[]): GoJson {
  return policyJson(name, new Map(entries));
}

function decoded(typeName: string, any: MessageView): MessageView {
  return unmarshal(typeName, any, any, (error) => `failed to unmarshal resource: ${error}`);
}

function convertRingHash(any: MessageView): GoJson {
  const config = decoded(`${POLICIES}ring_hash.v3.RingHash`, any);
  const hash = config.number('hash_function');
  if (hash !== 1) {
    const shown = enumText(`${POLICIES}ring_hash.v3.RingHash.HashFunction`, hash);
    reject(config, `unsupported ring_hash hash function ${shown}`, 'hash_function');
  }
  const size = (field: string, byDefault: bigint): bigint => config.message(field)?.big('value') ?? byDefault;
  const sizes = [
    ['minRingSize', size('minimum_ring_size', 1024n)],
    ['maxRingSize', size('maximum_ring_size', 8_388_608n)],
  ] as const;
  return configJson(
    'ring_hash_experimental',
    sizes.filter(([, value]) => value !== 0n),
  );
}

function convertPickFirst(any: MessageView): GoJson {
  const config = decoded(`${POLICIES}pick_first.v3.PickFirst`, any);
  return configJson('pick_first', [['shuffleAddressList', config.flag('shuffle_address_list')]]);
}

function convertLeastRequest(any: MessageView): GoJson {
  const config = decoded(`${POLICIES}least_request.v3.LeastRequest`, any);
  const count = config.message('choice_count')?.number('value') ?? 2;
  return configJson('least_request_experimental', [['choiceCount', BigInt(count)]]);
}

function convertWrrLocality(any: MessageView, depth: number): GoJson {
  const config = decoded(`${POLICIES}wrr_locality.v3.WrrLocality`, any);
  const child = within(
    (error) => `error converting endpoint picking policy: ${error} for ${printMessage(config)}`,
    () => convert(config.message('endpoint_picking_policy'), config, depth + 1),
  );
  return configJson('xds_wrr_locality_experimental', [['childPolicy', child]]);
}

const PERIODS = [
  ['oobReportingPeriod', 'oob_reporting_period'],
  ['blackoutPeriod', 'blackout_period'],
  ['weightExpirationPeriod', 'weight_expiration_period'],
  ['weightUpdatePeriod', 'weight_update_period'],
] as const;

function convertWeightedRoundRobin(any: MessageView): GoJson {
  const config = decoded(`${POLICIES}client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin`, any);
  const entries: [string, GoJson][] = [];
  if (config.message('enable_oob_load_report')?.flag('value')) entries.push(['enableOobLoadReport', true]);
  for (const [name, field] of PERIODS) {
    const nanos = nanosOf(config.message(field));
    if (nanos !== 0n) entries.push([name, jsonDuration(nanos)]);
  }
  // Go widens the number from 32 bits to 64, which shows its inexactness.
  const penalty = config.message('error_utilization_penalty')?.number('value') ?? 0;
  if (!Number.isFinite(penalty)) rejectPenalty(config, penalty);
  if (penalty !== 0) entries.push(['errorUtilizationPenalty', penalty]);
  return configJson('weighted_round_robin', entries);
}

function rejectPenalty(config: MessageView, penalty: number): never {
  const shown = Number.isNaN(penalty) ? 'NaN' : penalty > 0 ? '+Inf' : '-Inf';
  const message = `error marshaling JSON for type *converter.wrrLBConfig: json: unsupported value: ${shown}`;
  return reject(config, message, 'error_utilization_penalty');
}

/** A TypedStruct names a policy by the last part of its type URL. */
function convertTypedStruct(typeName: string, any: MessageView): GoJson | undefined {
  const typed = decoded(typeName, any);
  const url = typed.text('type_url');
  const name = url.slice(url.lastIndexOf('/') + 1);
  if (!isRegistered(name)) return undefined;
  const value = typed.message('value');
  const json = within(
    (error) => {
      const failure = `json: error calling MarshalJSON for type *structpb.Struct: ${error}`;
      return `error converting custom lb policy ${failure}: ${url} for ${printMessage(value)}`;
    },
    () => structJson(value),
  );
  return policyJson(name, json);
}

import {
  byHand,
  type Load,
  loadArray,
  loadBoolean,
  loadDuration,
  loadFloat,
  loadList,
  loadMap,
  loadString,
  loadUnsigned,
  objectOf,
  optional,
  required,
} from '../../base/json/fields.js';
import type { JsonField, JsonNode, ObjectNode } from '../../base/json/node.js';
import { compareUtf8 } from '../../base/utf8-order.js';
import { ValidationErrors } from '../../base/validation-errors.js';
import { DEFAULT_MIN_RING_SIZE, MAX_RING_SIZE } from './ring-size.js';
import { loadRls } from './rls-config.js';

const MAX_UINT32 = 0xffffffffn;
const MAX_UINT64 = 2n ** 64n - 1n;
const DEFAULT_MAX_RING_SIZE = 4096n;

/** Reads the config of an LB policy from its JSON object and adds its errors. */
type LoadPolicy = (config: ObjectNode, errors: ValidationErrors, interfaces: Interfaces) => void;

/** Network interfaces by name. Targets in a config may refer to them. */
type Interfaces = ReadonlyMap<string, number>;

const uint32 = loadUnsigned(MAX_UINT32);
const uint64 = loadUnsigned(MAX_UINT64);

/** Loads an object and adds the errors in it. */
function objectWith(read: (object: ObjectNode, errors: ValidationErrors) => void): Load<ObjectNode> {
  return objectOf((object, errors) => {
    read(object, errors);
    return object;
  });
}

const loadRingHash: LoadPolicy = (config, errors) => {
  const size = (name: string, byDefault: bigint): bigint => {
    const value = optional(config, name, uint64, errors) ?? byDefault;
    errors.field(name, () => {
      const isBad = value === 0n || value > MAX_RING_SIZE;
      if (isBad && !errors.fieldHasErrors) errors.add(`must be in the range [1, ${MAX_RING_SIZE}]`);
    });
    return value;
  };
  const min = size('minRingSize', DEFAULT_MIN_RING_SIZE);
  const max = size('maxRingSize', DEFAULT_MAX_RING_SIZE);
  if (min > max) errors.add('maxRingSize cannot be smaller than minRingSize');
};

const loadWeightedRoundRobin: LoadPolicy = (config, errors) => {
  optional(config, 'enableOobLoadReport', loadBoolean, errors);
  for (const period of ['oobReportingPeriod', 'blackoutPeriod', 'weightUpdatePeriod', 'weightExpirationPeriod']) {
    optional(config, period, loadDuration, errors);
  }
  const penalty = optional(config, 'errorUtilizationPenalty', loadFloat, errors);
  if (penalty !== undefined && penalty < 0) {
    errors.field('errorUtilizationPenalty', () => errors.add('must be non-negative'));
  }
  const metrics = byHand(config, 'metricNamesForComputingUtilization', loadArray(loadString), errors, false) ?? [];
  for (const [i, metric] of metrics.entries()) {
    if (/^((cpu|mem|application)_utilization$|named_metrics\.|utilization\.)/.test(metric)) continue;
    errors.field('metricNamesForComputingUtilization', () =>
      errors.element(i, () => errors.add(`unsupported metric name "${metric}"`)),
    );
  }
};

const loadOutlierDetection: LoadPolicy = (config, errors, interfaces) => {
  for (const name of ['interval', 'baseEjectionTime', 'maxEjectionTime']) optional(config, name, loadDuration, errors);
  const percentage = (object: ObjectNode, key: string, field: string): void => {
    const value = optional(object, key, uint32, errors);
    if (value !== undefined && value > 100n) errors.field(field, () => errors.add('value must be <= 100'));
  };
  percentage(config, 'maxEjectionPercent', 'max_ejection_percent');
  const ejection = (own: string, isPercentage: boolean) =>
    objectWith((object, inner) => {
      if (isPercentage) percentage(object, own, own);
      else optional(object, own, uint32, inner);
      percentage(object, 'enforcementPercentage', 'enforcement_percentage');
      optional(object, 'minimumHosts', uint32, inner);
      optional(object, 'requestVolume', uint32, inner);
    });
  optional(config, 'successRateEjection', ejection('stdevFactor', false), errors);
  optional(config, 'failurePercentageEjection', ejection('threshold', true), errors);
  requireChild(config, 'childPolicy', errors, interfaces);
};

const loadWeightedTarget: LoadPolicy = (config, errors, interfaces) => {
  const target = objectWith((object, inner) => {
    required(object, 'weight', uint32, inner);
    requireChild(object, 'childPolicy', inner, interfaces);
  });
  required(config, 'targets', loadMap(target), errors);
};

const loadPriority: LoadPolicy = (config, errors, interfaces) => {
  const child = objectWith((object, inner) => {
    optional(object, 'ignore_reresolution_requests', loadBoolean, inner);
    requireChild(object, 'config', inner, interfaces);
  });
  required(config, 'children', loadMap(child), errors);
  const priorities = required(config, 'priorities', loadList(loadString, ''), errors) ?? [];
  const children = config.fields.get('children')?.node;
  const unknown = new Set(priorities.filter((name) => children?.kind !== 'object' || !children.fields.has(name)));
  if (unknown.size > 0) errors.add(`unknown priorit(ies): [${[...unknown].sort(compareUtf8).join(', ')}]`);
};

const loadClusterManager: LoadPolicy = (config, errors, interfaces) => {
  const child = objectWith((object, inner) => requireChild(object, 'childPolicy', inner, interfaces));
  required(config, 'children', loadMap(child), errors);
};

const loadNamedCluster: LoadPolicy = (config, errors, interfaces) => {
  required(config, 'clusterName', loadString, errors);
  requireChild(config, 'childPolicy', errors, interfaces);
};

const loadAutosharding: LoadPolicy = (config, errors) => {
  for (const name of ['keyHeaderName', 'channelFactoryKey', 'autoshardingTarget']) {
    const text = required(config, name, loadString, errors);
    if (text === '') errors.field(name, () => errors.add('must be non-empty'));
  }
  optional(config, 'enableFallback', loadBoolean, errors);
  const timeout = optional(config, 'initialAssignmentTimeout', loadDuration, errors);
  if (timeout === 0) errors.field('initialAssignmentTimeout', () => errors.add('must be greater than zero'));
};

const loadGrpclb: LoadPolicy = (config, errors, interfaces) => {
  optional(config, 'serviceName', loadString, errors);
  if (config.fields.has('childPolicy')) requireChild(config, 'childPolicy', errors, interfaces);
};

const loadCds: LoadPolicy = (config, errors) => {
  required(config, 'cluster', loadString, errors);
  optional(config, 'isDynamic', loadBoolean, errors);
};

/** The policies that C-core registers, by their names in service configs. */
const POLICIES: ReadonlyMap<string, LoadPolicy> = new Map<string, LoadPolicy>([
  ['round_robin', () => {}],
  ['pick_first', (config, errors) => void optional(config, 'shuffleAddressList', loadBoolean, errors)],
  ['weighted_round_robin', loadWeightedRoundRobin],
  ['ring_hash_experimental', loadRingHash],
  ['xds_wrr_locality_experimental', (config, ...rest) => requireChild(config, 'childPolicy', ...rest)],
  ['weighted_target_experimental', loadWeightedTarget],
  ['priority_experimental', loadPriority],
  ['rls_experimental', (config, errors, interfaces) => loadRls(config, errors, interfaces, parsePolicyList)],
  ['cds_experimental', loadCds],
  ['outlier_detection_experimental', loadOutlierDetection],
  ['xds_cluster_impl_experimental', loadNamedCluster],
  ['xds_cluster_manager_experimental', loadClusterManager],
  ['xds_override_host_experimental', loadNamedCluster],
  ['grpclb', loadGrpclb],
  ['autosharding_experimental', loadAutosharding],
]);

export function isKnownPolicy(name: string): boolean {
  return POLICIES.has(name);
}

/**
 * Validates a list of policies, of which C-core uses the first known one. Returns C-core's error; `undefined` if there
 * is none.
 */
export function parsePolicyList(list: JsonNode, interfaces: Interfaces): string | undefined {
  if (list.kind !== 'array') return 'type should be array';
  const tried: string[] = [];
  for (const entry of list.elements) {
    if (entry.kind !== 'object') return 'child entry should be of type object';
    if (entry.fields.size === 0) return 'no policy found in child entry';
    if (entry.fields.size > 1) return 'oneOf violation';
    const [name, { node: config }] = [...entry.fields][0] as [string, JsonField];
    if (config.kind !== 'object') return 'child entry should be of type object';
    const load = POLICIES.get(name);
    if (load !== undefined) return parsePolicy(name, load, config, interfaces);
    tried.push(name);
  }
  return `No known policies in list: ${tried.join(' ')}`;
}

function parsePolicy(name: string, load: LoadPolicy, config: ObjectNode, interfaces: Interfaces): string | undefined {
  // The names that C-core uses in its errors.
  const title = name === 'rls_experimental' ? 'RLS' : name.replace(/_experimental$/, '');
  const errors = new ValidationErrors();
  load(config, errors, interfaces);
  return errors.size === 0 ? undefined : errors.message(`errors validating ${title} LB policy config`);
}

/** Validates a required field with a list of policies. */
function requireChild(config: ObjectNode, name: string, errors: ValidationErrors, interfaces: Interfaces): void {
  errors.field(name, () => {
    const child = config.fields.get(name)?.node;
    const problem = child === undefined ? 'field not present' : parsePolicyList(child, interfaces);
    if (problem !== undefined) errors.add(problem);
  });
}

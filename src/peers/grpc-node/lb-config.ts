import type { NodeSwitches } from './environment.js';
import { checkOutlierDetectionConfig, checkWeightedRoundRobinConfig } from './lb-config-fields.js';
import type { JsonObject, JsonValue } from './struct-json.js';
import { ThrownError } from './thrown-error.js';

/** Checks the config of one policy. Throws the error of grpc-js. */
type Check = (config: JsonObject, switches: NodeSwitches) => void;

const MAX_RING_SIZE = 8_388_608;
const accept = (): void => undefined;

/** The LB policies that are registered in grpc-js. */
const POLICIES: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['cds', (config) => requireThat(typeof config.cluster === 'string', 'cds config must have a string field cluster')],
  ['outlier_detection', checkOutlierDetection],
  ['pick_first', checkPickFirst],
  ['priority', checkPriority],
  ['ring_hash', checkRingHash],
  ['round_robin', accept],
  ['weighted_round_robin', checkWeightedRoundRobinConfig],
  ['weighted_target', checkWeightedTarget],
  ['xds_cluster_impl', checkClusterImpl],
  ['xds_cluster_manager', checkClusterManager],
  [
    'xds_wrr_locality',
    ({ child_policy }) =>
      requireThat(Array.isArray(child_policy), 'xds_wrr_locality config must have a child_policy array'),
  ],
]);

export function isRegistered(name: string, { outlierDetection, ringHash }: NodeSwitches): boolean {
  if (name === 'outlier_detection') return outlierDetection;
  return name === 'ring_hash' ? ringHash : POLICIES.has(name);
}

/** Checks a config of the form `{policy: config}`. Throws the error of grpc-js. */
export function checkConfig(raw: JsonObject, switches: NodeSwitches): void {
  const [name, ...others] = Object.keys(raw);
  if (name === undefined || others.length > 0)
    throw new ThrownError('Provided load balancing config has multiple conflicting entries');
  const check = isRegistered(name, switches) ? POLICIES.get(name) : undefined;
  if (check === undefined) throw new ThrownError(`Unrecognized load balancing config name ${name}`);
  try {
    const config = raw[name];
    requireThat(isObject(config) || name === 'round_robin', 'the config must be an object');
    check(config as JsonObject, switches);
  } catch (error) {
    throw error instanceof ThrownError ? new ThrownError(`${name}: ${error.message}`) : error;
  }
}

/** The name of the first valid config of a list; undefined if there is none. */
function firstValid(configs: JsonValue[], switches: NodeSwitches): string | undefined {
  for (const config of configs) {
    try {
      checkConfig(config as JsonObject, switches);
      return Object.keys(config as JsonObject)[0];
    } catch {
      // grpc-js uses the next one.
    }
  }
  return undefined;
}

function requireThat(isValid: boolean, message: string): void {
  if (!isValid) throw new ThrownError(message);
}

function checkPickFirst(config: JsonObject): void {
  requireThat(
    !('shuffleAddressList' in config) || typeof config.shuffleAddressList === 'boolean',
    'pick_first config field shuffleAddressList must be a boolean if provided',
  );
}

function checkRingHash(config: JsonObject): void {
  for (const field of ['min_ring_size', 'max_ring_size']) {
    const size = config[field];
    if (!(field in config)) continue;
    if (typeof size !== 'number') throw new ThrownError(`ring_hash config field ${field} must be a number if provided`);
    requireThat(size <= MAX_RING_SIZE, `ring_hash config field ${field} exceeds the cap of ${MAX_RING_SIZE}: ${size}`);
  }
}

function checkPriority({ children, priorities }: JsonObject, switches: NodeSwitches): void {
  requireThat(isObject(children), 'Priority config must have a children map');
  requireThat(
    Array.isArray(priorities) && priorities.every((one) => typeof one === 'string'),
    'Priority config must have a priorities list',
  );
  for (const [name, child] of childrenOf(children, 'config')) {
    const { config, ignore_reresolution_requests: ignores } = child;
    requireThat(Array.isArray(config), `Priority child ${name} must have a config list`);
    const text = `Priority child ${name} must have a boolean field ignore_reresolution_requests`;
    requireThat(typeof ignores === 'boolean', text);
    requireValid(config, switches, `Priority child ${name} config parsing failed`);
  }
}

function checkWeightedTarget({ targets }: JsonObject, switches: NodeSwitches): void {
  requireThat(isObject(targets), 'Weighted target config must have a targets map');
  for (const [name, { weight, child_policy: policies }] of childrenOf(targets, 'weight')) {
    requireThat(typeof weight === 'number', `Weighted target ${name} must have a numeric weight`);
    requireThat(Array.isArray(policies), `Weighted target ${name} must have a child_policy array`);
    requireValid(policies, switches, `Weighted target ${name} config parsing failed`);
  }
}

function checkClusterImpl({ cluster, child_policy: policies }: JsonObject, switches: NodeSwitches): void {
  requireThat(typeof cluster === 'string', 'xds_cluster_impl config must have a string field cluster');
  requireThat(Array.isArray(policies), 'xds_cluster_impl config must have an array field child_policy');
  requireValid(policies, switches, 'xds_cluster_impl config child_policy parsing failed');
}

function checkClusterManager({ children }: JsonObject, switches: NodeSwitches): void {
  requireThat(isObject(children), 'xds_cluster_manager config must have a children map');
  for (const [name, { child_policy: policies }] of childrenOf(children, 'child_policy')) {
    requireThat(Array.isArray(policies), `xds_cluster_manager child ${name} must have a child_policy array`);
    // The text of grpc-js has two typos.
    const text = `xds_cluster_mananger child ${name} has no recognized sucessfully parsed child_policy`;
    requireValid(policies, switches, text);
  }
}

function checkOutlierDetection(config: JsonObject, switches: NodeSwitches): void {
  checkOutlierDetectionConfig(config);
  const { child_policy: policies } = config;
  requireThat(Array.isArray(policies), 'outlier detection config child_policy must be an array');
  const child = firstValid(policies as JsonValue[], switches);
  if (child === undefined)
    throw new ThrownError('outlier detection config child_policy: no valid recognized policy found');
  requireThat(child !== 'pick_first', 'outlier_detection LB policy cannot have a pick_first child policy');
}

function requireValid(policies: JsonValue, switches: NodeSwitches, message: string): void {
  requireThat(firstValid(policies as JsonValue[], switches) !== undefined, message);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/** The children of a map; a list has its indices as keys. */
function childrenOf(children: JsonValue, field: string): [string, JsonObject][] {
  return Object.entries(children as JsonObject).map(([name, child]) => {
    if (isObject(child)) return [name, child];
    throw new ThrownError(`Cannot use 'in' operator to search for '${field}' in ${String(child)}`);
  });
}

import { JavaError } from './java-error.js';
import type { JavaJsonObject } from './json-format.js';
import {
  booleanAt,
  checkDoubleAt,
  durationAt,
  javaText,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
  wholeAt,
} from './json-util.js';
import { checkRls } from './rls-config.js';
import type { Settings } from './settings.js';

/** A status with which grpc-java rejects the config of an LB policy. */
interface LbError {
  code: 'UNAVAILABLE' | 'INTERNAL' | 'UNKNOWN';
  description: string;
  cause: JavaError | undefined;
}

/** Returns the error of a config. Exceptions are errors too: `failure` describes them. */
interface LbPolicy {
  parse(config: JavaJsonObject, settings: Settings): LbError | undefined;
  failure(config: JavaJsonObject, error: JavaError): LbError;
}

export function statusText({ code, description, cause }: LbError): string {
  return `Status{code=${code}, description=${description}, cause=${cause?.text ?? 'null'}}`;
}

export function isLbPolicy(name: string): boolean {
  return Object.hasOwn(POLICIES, name);
}

/** Parses the first config of a known policy. A list without one is an error. */
export function parseLbConfigs(list: readonly JavaJsonObject[] | undefined, settings: Settings): LbError | undefined {
  const configs = (list ?? []).map(unwrapConfig);
  if (configs.length === 0) return newError('No child LB config specified');
  const selected = configs.find(({ name }) => isLbPolicy(name));
  if (selected === undefined) {
    const names = configs.map(({ name }) => name).join(', ');
    return unavailable({
      ...newError(`None of [${names}] specified by Service Config are available.`),
      code: 'UNKNOWN',
    });
  }
  const error = parsePolicy(selected.name, selected.config, settings);
  return error && unavailable(error);
}

/** The status of a parent has the description and the cause of its child. */
function unavailable({ description, cause }: LbError): LbError {
  return newError(`${description}\nFailed to select child config`, cause);
}

function unwrapConfig(json: JavaJsonObject): { name: string; config: JavaJsonObject } {
  const [name, ...others] = json.keys();
  if (name === undefined || others.length > 0)
    throw new JavaError(
      'runtime',
      `There are ${json.size} fields in a LoadBalancingConfig object. Exactly one is expected. Config=${javaText(json)}`,
    );
  return { name, config: objectAt(json, name) as JavaJsonObject };
}

function parsePolicy(name: string, config: JavaJsonObject, settings: Settings): LbError | undefined {
  const policy = POLICIES[name] as LbPolicy;
  try {
    return policy.parse(config, settings);
  } catch (error) {
    if (!(error instanceof JavaError)) throw error;
    return policy.failure(config, error);
  }
}

function newError(description: string, cause?: JavaError, code: LbError['code'] = 'UNAVAILABLE'): LbError {
  return { code, description, cause };
}

function internal(description: string, cause?: JavaError): LbError {
  return newError(description, cause, 'INTERNAL');
}

function ofChild(description: string, { code, description: child }: LbError): string {
  return `${description}: ${code}: ${child}`;
}

const failedParsing =
  (name: string) =>
  (_: JavaJsonObject, error: JavaError): LbError =>
    newError(`Failed parsing configuration for ${name}`, error);

const notInServiceConfig = (name: string): LbPolicy => ({
  parse: () => internal(`${name} cannot be used from service config`),
  failure: (_, error) => internal('', error),
});

const RING_SIZE_CAP = 4096;

const POLICIES: Readonly<Record<string, LbPolicy>> = {
  round_robin: { parse: () => undefined, failure: (_, error) => newError('', error) },
  pick_first: {
    parse(config) {
      booleanAt(config, 'shuffleAddressList');
      return undefined;
    },
    failure: failedParsing('pick_first'),
  },
  ring_hash_experimental: {
    parse(config, { flags }) {
      const min = wholeAt(config, 'minRingSize', 'long') ?? 1024;
      const max = wholeAt(config, 'maxRingSize', 'long') ?? RING_SIZE_CAP;
      if (flags.requestHashKey) stringAt(config, 'requestHashHeader');
      const isValid = min > 0 && max > 0 && Math.min(min, RING_SIZE_CAP) <= Math.min(max, RING_SIZE_CAP);
      return isValid ? undefined : newError("Invalid 'minRingSize'/'maxRingSize'");
    },
    failure: failedParsing('ring_hash_experimental'),
  },
  least_request_experimental: {
    parse(config) {
      const isValid = (wholeAt(config, 'choiceCount', 'integer') ?? 2) >= 2;
      return isValid ? undefined : newError("Invalid 'choiceCount' in least_request_experimental config");
    },
    failure: (config, error) =>
      newError(`Failed to parse least_request_experimental LB config: ${javaText(config)}`, error),
  },
  wrr_locality_experimental: {
    parse(config, settings) {
      const error = parseLbConfigs(objectsAt(config, 'childPolicy'), settings);
      return error && internal(ofChild('Failed to parse child policy in wrr_locality LB policy', error), error.cause);
    },
    failure: (config, error) => internal(`Failed to parse wrr_locality LB config: ${javaText(config)}`, error),
  },
  weighted_target_experimental: {
    parse(config, settings) {
      const targets = objectAt(config, 'targets');
      const inPolicy = `in weighted_target LB policy:\n ${javaText(config)}`;
      if (targets === undefined || targets.size === 0)
        return internal(`No targets provided for weighted_target LB policy:\n ${javaText(config)}`);
      for (const name of targets.keys()) {
        const target = objectAt(targets, name) as JavaJsonObject;
        if (target.size === 0) return internal(`No config for target ${name} ${inPolicy}`);
        if ((wholeAt(target, 'weight', 'integer') ?? 0) < 1)
          return internal(`Wrong weight for target ${name} ${inPolicy}`);
        const error = parseLbConfigs(objectsAt(target, 'childPolicy'), settings);
        if (error !== undefined)
          return internal(ofChild(`Could not parse weighted_target's child policy: ${name}`, error), error.cause);
      }
      return undefined;
    },
    failure: (config, error) => internal(`Failed to parse weighted_target LB config: ${javaText(config)}`, error),
  },
  cluster_manager_experimental: {
    parse(config, settings) {
      const children = objectAt(config, 'childPolicy');
      if (children === undefined || children.size === 0)
        return internal(`No child policy provided for cluster_manager LB policy: ${javaText(config)}`);
      for (const name of children.keys()) {
        const child = objectAt(children, name) as JavaJsonObject;
        const error = parseLbConfigs(objectsAt(child, 'lbPolicy'), settings);
        if (error !== undefined)
          return internal(`${error.description}\nFailed to parse config for child ${name}`, error.cause);
      }
      return undefined;
    },
    failure: (config, error) => internal(`Failed to parse cluster_manager LB config: ${javaText(config)}`, error),
  },
  weighted_round_robin: {
    parse(config) {
      for (const key of ['blackoutPeriod', 'weightExpirationPeriod', 'oobReportingPeriod']) durationAt(config, key);
      booleanAt(config, 'enableOobLoadReport');
      durationAt(config, 'weightUpdatePeriod');
      checkDoubleAt(config, 'errorUtilizationPenalty');
      stringsAt(config, 'metricNamesForComputingUtilization');
      return undefined;
    },
    failure: failedParsing('weighted_round_robin'),
  },
  outlier_detection_experimental: {
    parse(config, settings) {
      checkOutlierDetection(config);
      const error = parseLbConfigs(objectsAt(config, 'childPolicy'), settings);
      return error && newError(ofChild('Failed to parse child in outlier_detection_experimental', error), error.cause);
    },
    failure: failedParsing('outlier_detection_experimental'),
  },
  random_subsetting_experimental: {
    parse(config, settings) {
      const name = 'random_subsetting_experimental';
      const size = wholeAt(config, 'subsetSize', 'long');
      if (size === undefined) return newError(`Subset size missing in ${name}, LB policy config=${javaText(config)}`);
      const error = parseLbConfigs(objectsAt(config, 'childPolicy'), settings);
      if (error !== undefined)
        return newError(
          `Failed to parse child in ${name}, LB policy config=${javaText(config)}`,
          new JavaError('status', `${error.code}: ${error.description}`),
        );
      if (size <= 0) throw new JavaError('argument', 'Subset size must be greater than 0');
      return undefined;
    },
    failure: failedParsing('random_subsetting_experimental'),
  },
  rls_experimental: {
    parse(config) {
      checkRls(config);
      return undefined;
    },
    failure: (_, error) => newError(`can't parse config: ${error.detail ?? 'null'}`, error),
  },
  cds_experimental: {
    parse(config) {
      const cluster = stringAt(config, 'cluster') ?? '';
      booleanAt(config, 'is_dynamic');
      if (cluster === '') throw new JavaError('argument', 'name is null or empty');
      return undefined;
    },
    failure: (config, error) => newError(`Failed to parse CDS LB config: ${javaText(config)}`, error),
  },
  priority_experimental: notInServiceConfig('priority_experimental'),
  cluster_impl_experimental: notInServiceConfig('cluster_impl_experimental'),
};

function checkOutlierDetection(config: JavaJsonObject): void {
  for (const key of ['interval', 'baseEjectionTime', 'maxEjectionTime']) durationAt(config, key);
  wholeAt(config, 'maxEjectionPercentage', 'integer');
  checkEjection(objectAt(config, 'successRateEjection'), 'stdevFactor');
  checkEjection(objectAt(config, 'failurePercentageEjection'), 'threshold');
}

function checkEjection(ejection: JavaJsonObject | undefined, first: string): void {
  if (ejection === undefined) return;
  const percentages = ['threshold', 'enforcementPercentage'];
  for (const key of [first, 'enforcementPercentage', 'minimumHosts', 'requestVolume']) {
    const value = wholeAt(ejection, key, 'integer') ?? 0;
    if (value < 0 || (value > 100 && percentages.includes(key))) throw new JavaError('argument');
  }
}

import { compareUtf8 } from '../../base/utf8-order.js';
import type { GoContext } from './go-context.js';
import { compactJson, type GoJson, type GoJsonObject, isJsonObject } from './go-json.js';
import { quoted } from './go-text.js';
import { metadataKeyError } from './grpc-service.js';
import { decodeError, type GoType } from './json-decoder.js';

/** Returns the error of a policy for its config, which is an object or null. */
type ConfigError = (config: GoJson, context: GoContext) => string | undefined;

/** The policies in grpc-go's registry, with those that ignore their config. */
const POLICIES: Readonly<Record<string, ConfigError | undefined>> = {
  round_robin: () => undefined,
  pick_first: pickFirstError,
  ring_hash_experimental: ringHashError,
  least_request_experimental: leastRequestError,
  weighted_round_robin: weightedRoundRobinError,
  xds_wrr_locality_experimental: wrrLocalityError,
  weighted_target_experimental: (config, context) => decodeError(config, weightedTarget(context)),
  priority_experimental: priorityError,
  cds_experimental: cdsError,
  xds_cluster_impl_experimental: (config, context) => decodeError(config, clusterImpl(context)),
  xds_cluster_manager_experimental: (config, context) => decodeError(config, clusterManager(context)),
  outlier_detection_experimental: outlierDetectionError,
  rls_experimental: rlsError,
};

export function isRegistered(name: string): boolean {
  return Object.hasOwn(POLICIES, name);
}

/** Returns why grpc-go rejects a list of policies: it uses the first one that it knows. */
export function lbConfigError(config: GoJson, context: GoContext): string | undefined {
  const error = decodeError(config, LIST);
  if (error !== undefined) return error;
  const names: string[] = [];
  for (const [index, entry] of ((config ?? []) as readonly GoJson[]).entries()) {
    const policies = isJsonObject(entry) ? [...entry] : [];
    const [first] = policies;
    if (first === undefined || policies.length > 1) return pairError(index, entry);
    const [name, policy] = first;
    names.push(name);
    const validate = isRegistered(name) ? POLICIES[name] : undefined;
    const problem = validate?.(policy, context);
    if (problem !== undefined) return `error parsing loadBalancingConfig for policy ${quoted(name)}: ${problem}`;
    if (validate !== undefined) return undefined;
  }
  return `invalid loadBalancingConfig: no supported policies found in [${names.join(' ')}]`;
}

/** The list of policies: a list of objects with any contents. */
const LIST: GoType = {
  kind: 'list',
  name: 'serviceconfig.intermediateBalancerConfig',
  of: { kind: 'map', name: 'map[string]json.RawMessage', of: { kind: 'custom', decode: () => undefined } },
};

function pairError(index: number, entry: GoJson): string {
  const policies = isJsonObject(entry) ? [...entry].sort(([a], [b]) => compareUtf8(a, b)) : [];
  const shown = policies.map(([name, policy]) => `${quoted(name)}:${quoted(compactJson(policy))}`).join(' ');
  const problem = 'does not contain exactly 1 policy/config pair';
  return `invalid loadBalancingConfig: entry ${index} ${problem}: map[${shown}]`;
}

/** A nested list of policies. */
function childPolicy(context: GoContext): GoType {
  return { kind: 'custom', decode: (value) => lbConfigError(value, context) };
}

function fieldOf(config: GoJson, name: string): GoJson | undefined {
  if (!isJsonObject(config)) return undefined;
  const exact = config.get(name);
  return exact ?? [...config].find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

function pickFirstError(config: GoJson): string | undefined {
  const error = decodeError(config, {
    kind: 'structure',
    name: 'pickfirst.pfConfig',
    fields: { shuffleAddressList: 'bool' },
  });
  return error && `pickfirst: unable to unmarshal LB policy config: ${compactJson(config)}, error: ${error}`;
}

/** 8 Mi entries. */
const MAX_RING_SIZE = 8_388_608n;

function ringHashError(config: GoJson, { switches }: GoContext): string | undefined {
  const error = decodeError(config, {
    kind: 'structure',
    name: 'ringhash.LBConfig',
    fields: { minRingSize: 'uint64', maxRingSize: 'uint64', requestHashHeader: 'string' },
  });
  if (error !== undefined) return error;
  const size = (name: string): bigint => BigInt((fieldOf(config, name) ?? 0) as number);
  for (const bound of ['min', 'max']) {
    const value = size(`${bound}RingSize`);
    if (value > MAX_RING_SIZE)
      return `${bound}_ring_size value of ${value} is greater than max supported value ${MAX_RING_SIZE} for this field`;
  }
  const [least, most] = [size('minRingSize') || 1024n, size('maxRingSize') || 4096n];
  if (least > most) return `min ${least} is greater than max ${most}`;
  return switches.requestHashKey ? hashHeaderError(fieldOf(config, 'requestHashHeader')) : undefined;
}

function hashHeaderError(value: GoJson | undefined): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const header = value.toLowerCase();
  const problem = metadataKeyError(header) ?? (header.endsWith('-bin') ? 'key must not end with "-bin"' : undefined);
  return problem && `invalid requestHashHeader ${quoted(header)}: ${problem}`;
}

function leastRequestError(config: GoJson): string | undefined {
  const error = decodeError(config, {
    kind: 'structure',
    name: 'leastrequest.LBConfig',
    fields: { choiceCount: 'uint32' },
  });
  if (error !== undefined) return `least-request: unable to unmarshal LBConfig: ${error}`;
  const count = fieldOf(config, 'choiceCount') ?? 2n;
  return Number(count) < 2 ? `least-request: lbConfig.choiceCount: ${count}, must be >= 2` : undefined;
}

function weightedRoundRobinError(config: GoJson): string | undefined {
  const error = decodeError(config, {
    kind: 'structure',
    name: 'weightedroundrobin.lbConfig',
    fields: {
      enableOobLoadReport: 'bool',
      oobReportingPeriod: 'duration',
      blackoutPeriod: 'duration',
      weightExpirationPeriod: 'duration',
      weightUpdatePeriod: 'duration',
      errorUtilizationPenalty: 'float64',
    },
  });
  if (error !== undefined) return `wrr: unable to unmarshal LB policy config: ${compactJson(config)}, error: ${error}`;
  const isNegative = Number(fieldOf(config, 'errorUtilizationPenalty') ?? 0) < 0;
  return isNegative ? 'wrr: errorUtilizationPenalty must be non-negative' : undefined;
}

function wrrLocalityError(config: GoJson, context: GoContext): string | undefined {
  const error = decodeError(config, {
    kind: 'structure',
    name: 'wrrlocality.LBConfig',
    fields: { childPolicy: childPolicy(context) },
  });
  if (error !== undefined) return `xds_wrr_locality: invalid LBConfig: ${compactJson(config)}, error: ${error}`;
  if ((fieldOf(config, 'childPolicy') ?? null) !== null) return undefined;
  return 'xds_wrr_locality: invalid LBConfig: child policy field must be set';
}

function weightedTarget(context: GoContext): GoType {
  const target: GoType = {
    kind: 'structure',
    name: 'weightedtarget.Target',
    fields: { weight: 'uint32', childPolicy: childPolicy(context) },
  };
  return { kind: 'structure', name: 'weightedtarget.LBConfig', fields: { targets: { kind: 'map', of: target } } };
}

function clusterImpl(context: GoContext): GoType {
  const fields = { cluster: 'string', childPolicy: childPolicy(context) } as const;
  return { kind: 'structure', name: 'clusterimpl.LBConfig', fields };
}

function clusterManager(context: GoContext): GoType {
  const fields = { ChildPolicy: childPolicy(context) };
  const child: GoType = { kind: 'structure', name: 'clustermanager.childConfig', fields };
  return { kind: 'structure', name: 'clustermanager.lbConfig', fields: { Children: { kind: 'map', of: child } } };
}

function cdsError(config: GoJson): string | undefined {
  const fields = { cluster: 'string', isDynamic: 'bool' } as const;
  const error = decodeError(config, { kind: 'structure', name: 'cdsbalancer.lbConfig', fields });
  return error && `xds: unable to unmarshal lbconfig: ${compactJson(config)}, error: ${error}`;
}

function priorityError(config: GoJson, context: GoContext): string | undefined {
  const child: GoType = {
    kind: 'structure',
    name: 'priority.Child',
    fields: { config: childPolicy(context), ignoreReresolutionRequests: 'bool' },
  };
  const fields: Record<string, GoType> = {
    children: { kind: 'map', of: child },
    priorities: { kind: 'list', of: 'string' },
  };
  const error = decodeError(config, { kind: 'structure', name: 'priority.LBConfig', fields });
  if (error !== undefined) return error;
  const children = fieldOf(config, 'children') as GoJsonObject | null | undefined;
  const priorities = ((fieldOf(config, 'priorities') ?? []) as readonly GoJson[]).map((name) => String(name ?? ''));
  const shown = `[${priorities.join(' ')}]`;
  const stranger = priorities.find((name) => children?.has(name) !== true);
  if (stranger !== undefined)
    return `LB policy name ${quoted(stranger)} found in Priorities field (${shown}) is not found in Children field (map[])`;
  const unused = [...(children?.keys() ?? [])].find((name) => !priorities.includes(name));
  if (unused === undefined) return undefined;
  return `LB policy name ${quoted(unused)} found in Children field (map[]) is not found in Priorities field (${shown})`;
}

function outlierDetectionError(config: GoJson, context: GoContext): string | undefined {
  const error = decodeError(config, {
    kind: 'structure',
    name: 'outlierdetection.LBConfig',
    fields: {
      interval: 'duration',
      baseEjectionTime: 'duration',
      maxEjectionTime: 'duration',
      maxEjectionPercent: 'uint32',
      childPolicy: childPolicy(context),
    },
  });
  if (error !== undefined) return `xds: unable to unmarshal LBconfig: ${compactJson(config)}, error: ${error}`;
  const percent = Number(fieldOf(config, 'maxEjectionPercent') ?? 0);
  const where = 'OutlierDetectionLoadBalancingConfig.max_ejection_percent';
  return percent > 100 ? `${where} = ${percent}; must be <= 100` : undefined;
}

function rlsError(config: GoJson): string | undefined {
  if (fieldOf(config, 'routeLookupConfig') !== undefined) return undefined;
  return 'rls: bad RouteLookupConfig proto : proto: syntax error (line 1:1): unexpected token ';
}

import type { ClusterSpecifierPlugin } from '../proto/generated/envoy.config.route.v3.js';
import type { Duration } from '../proto/generated/google.protobuf.js';
import {
  type GrpcKeyBuilder,
  RouteLookupClusterSpecifier,
  type RouteLookupConfig,
} from '../proto/generated/grpc.lookup.v1.js';
import type { Json } from '../proto/json/well-known.js';
import type { Repeated } from '../proto/wire/message-list.js';
import { type Extension, withExtension } from './common/extension.js';
import { decodeConfig } from './filters/http-filter.js';
import { nodeOf } from './lb/json-value.js';
import { parsePolicyList } from './lb/policy-config.js';
import type { Validation } from './validation.js';

/** The cluster specifier plugins of a route configuration, converted to LB policies. */
export interface Plugins {
  /**
   * By plugin name. `undefined` for an invalid plugin, whose error is reported at the plugin and not at the routes that
   * use it.
   */
  policies: Map<string, PluginPolicy | undefined>;
  /** Names of the optional plugins that gRPC does not support. */
  unsupported: Set<string>;
}

type PluginPolicy = { [policy: string]: Json };

export function readPlugins(plugins: Repeated<ClusterSpecifierPlugin>, validation: Validation): Plugins {
  const read: Plugins = { policies: new Map(), unsupported: new Set() };
  for (const [i, plugin] of plugins.entries()) {
    const place = `.cluster_specifier_plugins[${i}].extension`;
    validation.segment(place, ['cluster_specifier_plugins', i, 'extension'], () =>
      readPlugin(plugin, read, validation),
    );
  }
  return read;
}

function readPlugin({ extension, isOptional }: ClusterSpecifierPlugin, read: Plugins, validation: Validation): void {
  if (extension === undefined) {
    validation.addError('field not present');
    return;
  }
  const { name } = extension;
  if (read.policies.has(name)) validation.addFieldError('name', `duplicate name "${name}"`);
  else read.policies.set(name, undefined);
  validation.field('typed_config', () => {
    const converted = withExtension(extension.typedConfig, validation, (inner) => {
      if (inner.type === RouteLookupClusterSpecifier.typeName) return convertRls(inner, validation);
      if (!isOptional) return validation.addError('unsupported ClusterSpecifierPlugin type');
      read.unsupported.add(name);
      return validation.ignore(
        'plugin',
        `gRPC does not support this optional cluster specifier plugin (${inner.type})`,
      );
    });
    if (converted === undefined) return;
    const problem = parsePolicyList(nodeOf([converted]), validation.context.interfaces);
    if (problem !== undefined)
      validation.addError(`ClusterSpecifierPlugin returned invalid LB policy config: ${problem}`);
    else read.policies.set(name, converted);
  });
}

/**
 * Converts a route lookup plugin to an RLS policy with a CDS child policy for each cluster that the lookup service
 * returns.
 */
function convertRls(extension: Extension, validation: Validation): PluginPolicy | undefined {
  const message = decodeConfig(RouteLookupClusterSpecifier, extension, 'could not parse plugin config', validation);
  if (message === undefined) return undefined;
  const { routeLookupConfig } = message;
  if (routeLookupConfig === undefined) return validation.addFieldError('route_lookup_config', 'field not present');
  const config = lookupConfigJson(routeLookupConfig);
  if (typeof config === 'string') return validation.addError(`failed to dump proto to JSON: ${config}`);
  return {
    rls_experimental: {
      routeLookupConfig: config,
      childPolicy: [{ cds_experimental: { isDynamic: true } }],
      childPolicyConfigTargetFieldName: 'cluster',
    },
  };
}

/** Returns the config as proto JSON, which omits default values, or the error with which upb fails to print it. */
function lookupConfigJson(config: RouteLookupConfig): { [key: string]: Json } | string {
  const json: { [key: string]: Json } = {};
  if (config.grpcKeybuilders.length > 0) json.grpcKeybuilders = config.grpcKeybuilders.map(keyBuilderJson);
  if (config.lookupService !== '') json.lookupService = config.lookupService;
  for (const key of ['lookupServiceTimeout', 'maxAge', 'staleAge'] as const) {
    const duration = config[key];
    if (duration === undefined) continue;
    const printed = durationJson(duration);
    if ('problem' in printed) return printed.problem;
    json[key] = printed.text;
  }
  if (config.cacheSizeBytes !== 0n) json.cacheSizeBytes = String(config.cacheSizeBytes);
  if (config.validTargets.length > 0) json.validTargets = [...config.validTargets];
  if (config.defaultTarget !== '') json.defaultTarget = config.defaultTarget;
  return json;
}

function keyBuilderJson({ names, headers, extraKeys, constantKeys }: GrpcKeyBuilder): Json {
  const json: { [key: string]: Json } = {};
  if (names.length > 0) json.names = names.map((name) => textFields({ ...name }));
  if (headers.length > 0) {
    json.headers = headers.map(({ key, names: from, requiredMatch }) => ({
      ...textFields({ key }),
      ...(from.length > 0 ? { names: [...from] } : {}),
      ...(requiredMatch ? { requiredMatch } : {}),
    }));
  }
  if (extraKeys !== undefined) json.extraKeys = textFields({ ...extraKeys });
  if (constantKeys.size > 0) json.constantKeys = Object.fromEntries(constantKeys);
  return json;
}

function textFields(fields: { [key: string]: string }): { [key: string]: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

const MAX_SECONDS = 315_576_000_000n;

function durationJson({ seconds, nanos }: Duration): { text: string } | { problem: string } {
  const hasTwoSigns = (seconds < 0n && nanos > 0) || (seconds > 0n && nanos < 0);
  if (seconds > MAX_SECONDS || seconds < -MAX_SECONDS || hasTwoSigns) return { problem: 'bad duration' };
  // The smallest 32-bit integer has no positive counterpart: it passes upb's range check, and upb prints it with its
  // sign.
  if (Math.abs(nanos) > 999_999_999 && nanos !== MIN_INT32) {
    return { problem: 'error formatting timestamp as JSON: invalid nanos' };
  }
  const isNegative = seconds < 0n || nanos < 0;
  const digits = nanos === MIN_INT32 ? String(nanos) : String(Math.abs(nanos)).padStart(9, '0');
  const fraction = nanos === 0 ? '' : `.${digits}`;
  return { text: `${isNegative ? '-' : ''}${seconds < 0n ? -seconds : seconds}${fraction}s` };
}

const MIN_INT32 = -(2 ** 31);

import { unpackAny } from './decode-message.js';
import { catching, invalid, JavaError, within } from './java-error.js';
import { checkPrintable } from './json-format.js';
import type { ProtoMessage } from './proto-message.js';
import type { Settings } from './settings.js';

const ROUTE_LOOKUP = 'grpc.lookup.v1.RouteLookupClusterSpecifier';
const TYPED_STRUCT = 'udpa.type.v1.TypedStruct';

/** The names of the cluster specifier plugins in a route configuration. */
export interface Plugins {
  supported: Set<string>;
  /** Optional plugins of unknown types: grpc-java skips their routes. */
  skipped: Set<string>;
}

export function checkPlugins(plugins: readonly ProtoMessage[], { flags }: Settings): Plugins {
  const named: Plugins = { supported: new Set(), skipped: new Set() };
  if (!flags.routeLookup) return named;
  for (const [index, plugin] of plugins.entries())
    within(['cluster_specifier_plugins', index], () => {
      const name = plugin.message('extension').string('name');
      if (!checkPlugin(plugin, name)) named.skipped.add(name);
      else if (named.supported.has(name)) invalid(`Multiple ClusterSpecifierPlugins with the same name: ${name}`);
      else named.supported.add(name);
    });
  return named;
}

/** Returns false if the type is unknown and the plugin optional. */
function checkPlugin(plugin: ProtoMessage, name: string): boolean {
  const any = plugin.message('extension').message('typed_config');
  const { typeUrl, isStruct } = catching(
    ['proto'],
    () => withoutTypedStruct(any),
    (error) => `ClusterSpecifierPlugin [${name}] contains invalid proto: ${error.detail}`,
  );
  if (typeUrl !== `type.googleapis.com/${ROUTE_LOOKUP}`) {
    if (!plugin.bool('is_optional')) invalid(`Unsupported ClusterSpecifierPlugin type: ${typeUrl}`);
    return false;
  }
  if (isStruct) invalid('Invalid config type: class com.google.protobuf.Struct');
  within(['extension', 'typed_config'], () => checkRouteLookup(any));
  return true;
}

function withoutTypedStruct(any: ProtoMessage): { typeUrl: string; isStruct: boolean } {
  const typeUrl = any.string('type_url');
  for (const typeName of [TYPED_STRUCT, 'xds.type.v3.TypedStruct'])
    if (typeUrl === `type.googleapis.com/${typeName}`)
      return { typeUrl: unpackAny(any, typeName).string('type_url'), isStruct: true };
  return { typeUrl, isStruct: false };
}

/** Java's message for a missing `route_lookup_config`. */
const NULL_CONFIG = 'Cannot invoke "java.util.Map.entrySet()" because "map" is null';

/** grpc-java only prints the config as JSON. The LB policy reads it later. */
function checkRouteLookup(any: ProtoMessage): void {
  const specifier = catching(
    ['proto'],
    () => unpackAny(any, ROUTE_LOOKUP),
    (error) => `Invalid proto: ${error.text}`,
  );
  catching(
    ['argument', 'nullPointer'],
    () => {
      checkPrintable(specifier);
      if (!specifier.has('route_lookup_config')) throw new JavaError('nullPointer', NULL_CONFIG);
    },
    (error) => `Error parsing RouteLookupConfig: ${error.text}`,
  );
}

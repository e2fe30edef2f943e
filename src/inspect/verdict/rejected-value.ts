import {
  Cluster,
  ClusterDiscoveryType,
  ClusterLbPolicy,
  ClusterRingHashLbConfigHashFunction,
  type LoadBalancingPolicy,
} from '../../proto/generated/envoy.config.cluster.v3.js';
import { ClusterLoadAssignment } from '../../proto/generated/envoy.config.endpoint.v3.js';
import { Listener } from '../../proto/generated/envoy.config.listener.v3.js';
import { RouteConfiguration } from '../../proto/generated/envoy.config.route.v3.js';
import { HttpConnectionManager } from '../../proto/generated/envoy.extensions.filters.network.http_connection_manager.v3.js';
import { decode, type MessageType } from '../../proto/message-type.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';

/** Enums that C-core rejects without naming the value. */
const ENUMS: Record<string, Record<string, string | number>> = {
  lb_policy: ClusterLbPolicy,
  type: ClusterDiscoveryType,
  'ring_hash_lb_config.hash_function': ClusterRingHashLbConfigHashFunction,
};

const MAX_LENGTH = 80;

/** The value at one of C-core's field paths in a rejected resource, as text; undefined if it is not a scalar. */
export function rejectedValue(typeUrl: string, bytes: Uint8Array, path: string): string | undefined {
  switch (typeUrl) {
    case RESOURCE_TYPES.CDS:
      return clusterValue(bytes, path);
    case RESOURCE_TYPES.RDS:
      return plainValue(RouteConfiguration, bytes, path);
    case RESOURCE_TYPES.EDS:
      return plainValue(ClusterLoadAssignment, bytes, path);
    default:
      return plainValue(Listener, bytes, path);
  }
}

function clusterValue(bytes: Uint8Array, path: string): string | undefined {
  const cluster = decode(Cluster, bytes);
  if (!cluster.ok) return undefined;
  if (path === 'load_balancing_policy') return policyTypes(cluster.value.loadBalancingPolicy);
  const found = valueAt(cluster.value, path);
  const names = ENUMS[path];
  if (names === undefined) return textOf(found);
  // A cluster without a type has the default, STATIC.
  const number = found ?? 0;
  return Object.keys(names).find((name) => names[name] === number) ?? String(number);
}

function policyTypes(list: LoadBalancingPolicy | undefined): string {
  const types = (list?.policies ?? []).map(({ typedExtensionConfig }) => {
    const typeUrl = typedExtensionConfig?.typedConfig?.typeUrl ?? '';
    return typeUrl.slice(typeUrl.lastIndexOf('/') + 1) || (typedExtensionConfig?.name ?? '');
  });
  return types.length === 0 ? 'the list is empty' : cut(types.join(', '));
}

function plainValue<T>(type: MessageType<T>, bytes: Uint8Array, path: string): string | undefined {
  const message = decode(type, bytes);
  return message.ok ? textOf(valueAt(message.value, path)) : undefined;
}

/** Follows a path such as `virtual_hosts[0].routes[1].match` through decoded messages. Members of a oneof count as fields. */
function valueAt(message: unknown, path: string): unknown {
  let at: unknown = message;
  for (const [, type, field, index] of path.matchAll(/\.value\[([\w.]+)\]|([a-z_0-9]+)|\[(\d+)\]/g)) {
    if (type !== undefined) at = unpacked(at, type);
    else if (field !== undefined) at = fieldOf(at, camelCase(field));
    else at = Array.isArray(at) ? at[Number(index)] : undefined;
  }
  return at;
}

/** Decodes HttpConnectionManager, the only Any for which C-core reports paths of inner fields. */
function unpacked(any: unknown, type: string): unknown {
  const bytes = fieldOf(any, 'value');
  if (type !== HttpConnectionManager.typeName || !(bytes instanceof Uint8Array)) return undefined;
  const message = decode(HttpConnectionManager, bytes);
  return message.ok ? message.value : undefined;
}

function fieldOf(message: unknown, name: string): unknown {
  if (typeof message !== 'object' || message === null) return undefined;
  for (const [key, value] of Object.entries(message)) {
    if (key === name) return value;
    if (isMember(value) && value.kind === name) return value.value;
  }
  return undefined;
}

function isMember(value: unknown): value is { kind: string; value: unknown } {
  return typeof value === 'object' && value !== null && 'kind' in value && 'value' in value;
}

function camelCase(field: string): string {
  return field.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? cut(`"${value}"`) : undefined;
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

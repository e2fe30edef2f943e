import { typeNameOf } from '../../proto/json/type-name.js';
import type { Json } from '../../proto/json/well-known.js';

const TLS = 'gRPC uses certificates only from the certificate providers in the bootstrap or from the system';
const HEADERS = 'gRPC does not change headers';

/**
 * Fields by message that control planes often set and gRPC does not read, with the reason. Other unread fields are not
 * reported. JSON Schemas show the reasons as well.
 */
export const UNREAD: Record<string, Record<string, string> | undefined> = {
  'envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext': {
    'commonTlsContext.validationContext.trustedCa': TLS,
    'commonTlsContext.combinedValidationContext.defaultValidationContext.trustedCa': TLS,
    'commonTlsContext.validationContext.matchTypedSubjectAltNames':
      'gRPC reads match_subject_alt_names, not match_typed_subject_alt_names',
    'commonTlsContext.validationContext.allowExpiredCertificate': 'gRPC always rejects expired certificates',
    'commonTlsContext.validationContext.trustChainVerification': 'gRPC always verifies the chain',
    'commonTlsContext.alpnProtocols': 'gRPC always offers h2',
  },
  'envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext': {
    'commonTlsContext.validationContext.trustedCa': TLS,
    'commonTlsContext.alpnProtocols': 'gRPC always offers h2',
  },
  'envoy.config.route.v3.RouteConfiguration': {
    'virtualHosts[].routes[].route.timeout':
      'gRPC limits RPCs by max_stream_duration; it no longer reads timeout (A31)',
    'virtualHosts[].routes[].route.prefixRewrite': 'gRPC does not rewrite paths',
    'virtualHosts[].routes[].route.regexRewrite': 'gRPC does not rewrite paths',
    'virtualHosts[].routes[].route.hostRewriteLiteral': 'gRPC rewrites hosts only by auto_host_rewrite',
    'virtualHosts[].routes[].route.requestMirrorPolicies': 'gRPC does not mirror RPCs',
    'virtualHosts[].routes[].route.rateLimits': 'gRPC does not apply rate limits',
    'virtualHosts[].routes[].requestHeadersToAdd': HEADERS,
    'virtualHosts[].requestHeadersToAdd': HEADERS,
  },
  'envoy.config.cluster.v3.Cluster': {
    healthChecks: 'gRPC uses only the health status that the control plane sends',
    lbSubsetConfig: 'gRPC does not support subset load balancing',
  },
};

export interface UnreadField {
  path: string;
  reason: string;
}

/**
 * Returns the fields of a resource that users may expect to have an effect. Paths use the names in the .proto files.
 */
export function unreadFields(typeName: string, json: Json): UnreadField[] {
  const fields: UnreadField[] = [];
  visit(json, '', typeName, fields);
  return fields;
}

function visit(json: Json, path: string, typeName: string | undefined, fields: UnreadField[]): void {
  if (Array.isArray(json)) {
    for (const [i, element] of json.entries()) visit(element, `${path}[${i}]`, undefined, fields);
    return;
  }
  if (typeof json !== 'object' || json === null) return;
  const type = typeof json['@type'] === 'string' ? typeNameOf(json['@type']) : typeName;
  for (const [field, reason] of Object.entries((type && UNREAD[type]) || {})) {
    for (const place of placesOf(json, field.split('.'), path)) fields.push({ path: place, reason });
  }
  for (const [key, value] of Object.entries(json)) visit(value, join(path, snakeCase(key)), undefined, fields);
}

/** Returns the paths at which a field is set. `[]` stands for every element. */
function placesOf(json: Json | undefined, [field, ...rest]: string[], path: string): string[] {
  if (field === undefined) return [path];
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  const name = field.replace('[]', '');
  const value = json[name];
  if (value === undefined) return [];
  const place = join(path, snakeCase(name));
  if (name === field || !Array.isArray(value)) return placesOf(value, rest, place);
  return value.flatMap((element, i) => placesOf(element, rest, `${place}[${i}]`));
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

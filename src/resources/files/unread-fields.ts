import { typeNameOf } from '../../proto/json/type-name.js';
import type { Json } from '../../proto/json/well-known.js';

const TLS = 'gRPC takes certificates only from providers of its bootstrap or from the system';
const HEADERS = 'gRPC does not change headers';

/** Fields that people set and gRPC does not look at, by message. Where others than these are ignored, nobody wonders. */
const UNREAD: Record<string, Record<string, string> | undefined> = {
  'envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext': {
    'commonTlsContext.validationContext.trustedCa': TLS,
    'commonTlsContext.combinedValidationContext.defaultValidationContext.trustedCa': TLS,
    'commonTlsContext.validationContext.matchTypedSubjectAltNames':
      'gRPC looks at match_subject_alt_names, not at match_typed_subject_alt_names',
    'commonTlsContext.validationContext.allowExpiredCertificate': 'gRPC never takes expired certificates',
    'commonTlsContext.validationContext.trustChainVerification': 'gRPC always verifies the chain',
    'commonTlsContext.alpnProtocols': 'gRPC always offers h2',
  },
  'envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext': {
    'commonTlsContext.validationContext.trustedCa': TLS,
    'commonTlsContext.alpnProtocols': 'gRPC always offers h2',
  },
  'envoy.config.route.v3.RouteConfiguration': {
    'virtualHosts[].routes[].route.timeout':
      'today gRPC limits RPCs by max_stream_duration; timeout was dropped with A31',
    'virtualHosts[].routes[].route.prefixRewrite': 'gRPC does not rewrite paths',
    'virtualHosts[].routes[].route.regexRewrite': 'gRPC does not rewrite paths',
    'virtualHosts[].routes[].route.hostRewriteLiteral': 'gRPC rewrites hosts only by auto_host_rewrite',
    'virtualHosts[].routes[].route.requestMirrorPolicies': 'gRPC does not mirror RPCs',
    'virtualHosts[].routes[].route.rateLimits': 'gRPC does not limit rates',
    'virtualHosts[].routes[].requestHeadersToAdd': HEADERS,
    'virtualHosts[].requestHeadersToAdd': HEADERS,
  },
  'envoy.config.cluster.v3.Cluster': {
    healthChecks: 'gRPC takes the health of endpoints from the control plane only',
    lbSubsetConfig: 'gRPC does not choose subsets',
  },
};

export interface UnreadField {
  path: string;
  reason: string;
}

/** The fields of a resource that look as if they had an effect; paths with the names of the .proto files. */
export function unreadFields(typeName: string, json: Json): UnreadField[] {
  const found: UnreadField[] = [];
  visit(json, '', typeName, found);
  return found;
}

function visit(json: Json, path: string, typeName: string | undefined, found: UnreadField[]): void {
  if (Array.isArray(json)) {
    for (const [i, element] of json.entries()) visit(element, `${path}[${i}]`, undefined, found);
    return;
  }
  if (typeof json !== 'object' || json === null) return;
  const type = typeof json['@type'] === 'string' ? typeNameOf(json['@type']) : typeName;
  for (const [field, reason] of Object.entries((type && UNREAD[type]) || {})) {
    for (const place of placesOf(json, field.split('.'), path)) found.push({ path: place, reason });
  }
  for (const [key, value] of Object.entries(json)) visit(value, join(path, snakeCase(key)), undefined, found);
}

/** Where a field is set; `[]` stands for every element. */
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

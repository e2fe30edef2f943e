import type { PathStep } from '../../base/problem.js';
import {
  type Authority,
  type Bootstrap,
  type BootstrapNode,
  type CertificateProvider,
  type ChannelCreds,
  SERVER_FEATURES,
  type XdsServer,
} from '../bootstrap.js';
import type { BootstrapResult } from '../read-bootstrap.js';
import type { Switches } from '../switches.js';
import { readGson } from './gson.js';
import { javaMember, javaObjects } from './java-values.js';
import { type RawNode, type RawObjectNode, textOf } from './raw-json.js';
import { notJson, Rejection, resultOf } from './rejection.js';

type List = Extract<RawNode, { kind: 'array' }>;

/** Reads a bootstrap like grpc-java: stops at the first error; null is a wrong type everywhere. */
export function readJavaBootstrap(bytes: Uint8Array, switches: Switches): BootstrapResult {
  const json = readGson(textOf(bytes));
  if (!json.ok) {
    const { className, message } = json.exception;
    const text = className === undefined ? message : `Failed to parse JSON / ${className}: ${message}`;
    return notJson(text, message.split('\n', 1)[0] ?? '', json.offset);
  }
  const { root } = json;
  return resultOf(root, () => readRoot(root, switches));
}

const CLASSES = {
  array: 'java.util.Collections$UnmodifiableRandomAccessList',
  number: 'java.lang.Double',
  string: 'java.lang.String',
  boolean: 'java.lang.Boolean',
} as const;

function readRoot(root: RawNode, switches: Switches): Bootstrap {
  if (root.kind === 'null')
    throw new Rejection('Cannot invoke "java.util.Map.containsKey(Object)" because "obj" is null');
  if (root.kind !== 'object') {
    const name = CLASSES[root.kind];
    const reason = `class ${name} cannot be cast to class java.util.Map`;
    throw new Rejection(
      `${reason} (${name} and java.util.Map are in module java.base of loader 'bootstrap')`,
      [],
      reason,
    );
  }
  const list = javaMember(root, 'xds_servers', 'array', []);
  if (list === undefined) throw missing('xds_servers', ['xds_servers']);
  const servers = readServers(list, ['xds_servers']);
  const node = readNode(javaMember(root, 'node', 'object', []));
  const certificateProviders = readProviders(javaMember(root, 'certificate_providers', 'object', []));
  const serverListenerTemplate = stringIn(root, 'server_listener_resource_name_template', []) ?? '';
  const clientTemplate = stringIn(root, 'client_default_listener_resource_name_template', []);
  const authorities = readAuthorities(javaMember(root, 'authorities', 'object', []), switches);
  const allowedGrpcServices = readServices(javaMember(root, 'allowed_grpc_services', 'object', []));
  if (servers.length === 0) throw new Rejection("Invalid bootstrap: 'xds_servers' is empty", ['xds_servers']);
  return {
    servers,
    node,
    certificateProviders,
    serverListenerTemplate,
    clientDefaultListenerTemplate: clientTemplate ?? '',
    authorities,
    allowedGrpcServices,
  };
}

function missing(field: string, steps: readonly PathStep[]): Rejection {
  return new Rejection(`Invalid bootstrap: '${field}' does not exist.`, steps);
}

function stringIn(object: RawObjectNode, key: string, steps: readonly PathStep[]): string | undefined {
  return javaMember(object, key, 'string', steps)?.value;
}

/** The members of an object, each of which must be an object. */
function* objectsIn(object: RawObjectNode, steps: readonly PathStep[]): Iterable<[string, RawObjectNode]> {
  for (const key of object.fields.keys()) {
    const member = javaMember(object, key, 'object', steps);
    if (member !== undefined) yield [key, member];
  }
}

function readServers(list: List, steps: readonly PathStep[]): XdsServer[] {
  return javaObjects(list, steps).map((server, i) => {
    const at = [...steps, i];
    const uri = stringIn(server, 'server_uri', at);
    if (uri === undefined) throw new Rejection("Invalid bootstrap: missing 'server_uri'", [...at, 'server_uri']);
    const creds = readCreds(server, uri, at);
    const features = javaMember(server, 'server_features', 'array', at)?.elements ?? [];
    const named = new Set(features.flatMap((one) => (one.kind === 'string' ? [one.value] : [])));
    return { uri, creds, callCreds: [], features: new Set(SERVER_FEATURES.filter((feature) => named.has(feature))) };
  });
}

/** The first entry of a known type: grpc-java does not look at the entries after it, and ignores the config of TLS. */
function readCreds(object: RawObjectNode, uri: string, steps: readonly PathStep[]): ChannelCreds {
  const at = [...steps, 'channel_creds'];
  const list = javaMember(object, 'channel_creds', 'array', steps);
  if (list === undefined || list.elements.length === 0)
    throw new Rejection(`Invalid bootstrap: server ${uri} 'channel_creds' required`, at);
  for (const [i, entry] of javaObjects(list, at).entries()) {
    const type = stringIn(entry, 'type', [...at, i]);
    if (type === undefined)
      throw new Rejection(`Invalid bootstrap: server ${uri} with 'channel_creds' type unspecified`, [...at, i]);
    if (type !== 'insecure' && type !== 'google_default' && type !== 'tls') continue;
    javaMember(entry, 'config', 'object', [...at, i]);
    return type === 'tls' ? { type, files: NO_FILES } : { type };
  }
  throw new Rejection(`Server ${uri}: no supported channel credentials found`, at);
}

const NO_FILES = {
  certificate: undefined,
  privateKey: undefined,
  caCertificate: undefined,
  spiffeBundleMap: undefined,
  refreshIntervalMs: 600_000,
};

function readNode(node: RawObjectNode | undefined): BootstrapNode {
  const none = { id: '', cluster: '', locality: { region: '', zone: '', subZone: '' }, metadata: undefined };
  if (node === undefined) return none;
  const id = stringIn(node, 'id', ['node']) ?? '';
  const cluster = stringIn(node, 'cluster', ['node']) ?? '';
  const metadata = javaMember(node, 'metadata', 'object', ['node']);
  const locality = javaMember(node, 'locality', 'object', ['node']);
  if (locality === undefined) return { ...none, id, cluster, metadata };
  const part = (key: string): string => stringIn(locality, key, ['node', 'locality']) ?? '';
  return { id, cluster, metadata, locality: { region: part('region'), zone: part('zone'), subZone: part('sub_zone') } };
}

/** grpc-java checks the configuration of a plugin when it uses it. */
function readProviders(object: RawObjectNode | undefined): Map<string, CertificateProvider> {
  const providers = new Map<string, CertificateProvider>();
  if (object === undefined) return providers;
  for (const [name, provider] of objectsIn(object, ['certificate_providers'])) {
    const at = ['certificate_providers', name];
    const pluginName = stringIn(provider, 'plugin_name', at);
    if (pluginName === undefined) throw missing('plugin_name', at);
    const config = javaMember(provider, 'config', 'object', at);
    if (config === undefined) throw missing('config', at);
    const path = (key: string): string | undefined => {
      const file = config.fields.get(key)?.node;
      return file?.kind === 'string' && file.value !== '' ? file.value : undefined;
    };
    const files = {
      certificate: path('certificate_file'),
      privateKey: path('private_key_file'),
      caCertificate: path('ca_certificate_file'),
      spiffeBundleMap: path('spiffe_trust_bundle_map_file'),
      refreshIntervalMs: NO_FILES.refreshIntervalMs,
    };
    providers.set(name, { pluginName, files: pluginName === 'file_watcher' ? files : undefined });
  }
  return providers;
}

function readAuthorities(object: RawObjectNode | undefined, switches: Switches): Map<string, Authority> {
  const authorities = new Map<string, Authority>();
  if (object === undefined) return authorities;
  for (const [name, authority] of objectsIn(object, ['authorities'])) {
    const at = ['authorities', name];
    const template = stringIn(authority, 'client_listener_resource_name_template', at);
    const prefix = `xdstp://${name}/`;
    if (template !== undefined && !template.startsWith(prefix))
      throw new Rejection(`client_listener_resource_name_template: '${template}' does not start with ${prefix}`, [
        ...at,
        'client_listener_resource_name_template',
      ]);
    const list = javaMember(authority, 'xds_servers', 'array', at);
    // Without fallback, grpc-java does not look at further servers.
    const used = list !== undefined && !switches.fallback ? { ...list, elements: list.elements.slice(0, 1) } : list;
    const own = used === undefined ? [] : readServers(used, [...at, 'xds_servers']);
    const fallback = switches.endpointFallback
      ? javaMember(authority, 'fallback_on_reachability_only', 'boolean', at)
      : undefined;
    authorities.set(name, {
      clientListenerTemplate: template ?? '',
      servers: own,
      fallbackOnReachabilityOnly: fallback?.value ?? false,
    });
  }
  return authorities;
}

/** grpc-java reads this field without a switch. It knows no call credentials. */
function readServices(object: RawObjectNode | undefined): Bootstrap['allowedGrpcServices'] {
  const services = new Map<string, { creds: ChannelCreds; callCreds: [] }>();
  if (object === undefined) return services;
  for (const [target, service] of objectsIn(object, ['allowed_grpc_services'])) {
    const at = ['allowed_grpc_services', target];
    const creds = readCreds(service, target, at);
    const callCreds = javaMember(service, 'call_creds', 'array', at);
    if (callCreds !== undefined) javaObjects(callCreds, [...at, 'call_creds']);
    services.set(target, { creds, callCreds: [] });
  }
  return services;
}

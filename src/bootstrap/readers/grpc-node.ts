import type { JsonNode } from '../../base/json/node.js';
import type { PathStep } from '../../base/problem.js';
import type { Authority, Bootstrap, BootstrapNode, CertificateProvider, XdsServer } from '../bootstrap.js';
import type { BootstrapResult } from '../read-bootstrap.js';
import type { Switches } from '../switches.js';
import { hasKey, isObject, member, property } from './js-values.js';
import { textOf } from './raw-json.js';
import { notJson, Rejection, resultOf, wrapErrors } from './rejection.js';
import { readStrictJson } from './strict-json.js';

/** Reads a bootstrap like grpc-js-xds. Its error names the origin: a file, or the environment variable. */
export function readNodeBootstrap(bytes: Uint8Array, switches: Switches, file: string | undefined): BootstrapResult {
  const from =
    file === undefined ? 'config from environment variable GRPC_XDS_BOOTSTRAP_CONFIG' : `file at path ${file}`;
  const failed = (cause: string): string => `Failed to parse xDS bootstrap ${from} with error ${cause}`;
  const text = textOf(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const json = readStrictJson(text);
    // Newer versions of V8 append the line and column.
    const reason = (error as Error).message.replace(/ \(line \d+ column \d+\)$/, '');
    return notJson(failed(reason), reason, json.ok ? 0 : json.offset);
  }
  const json = readStrictJson(text);
  const root: JsonNode = json.ok ? json.root : { kind: 'null', start: 0, end: 0 };
  return resultOf(root, () => wrapErrors(() => readRoot(value, root, switches), failed));
}

function readRoot(root: unknown, json: JsonNode, { federation }: Switches): Bootstrap {
  const servers = readServers(property(root, 'xds_servers', []), 'obj.xds_servers.map', ['xds_servers']);
  if (servers === undefined) throw noMap(property(root, 'xds_servers', []));
  const node = readNode(property(root, 'node', []), json);
  const template = (key: string): string => {
    if (!hasKey(root, key, [])) return '';
    const value = property(root, key, []);
    if (typeof value === 'string') return value;
    throw new Rejection(`${key}: expected string, got ${typeof value}`, [key]);
  };
  const serverListenerTemplate = template('server_listener_resource_name_template');
  const clientDefaultListenerTemplate = federation ? template('client_default_listener_resource_name_template') : '';
  const authorities = federation ? members(root, 'authorities', readAuthority) : new Map<string, Authority>();
  const certificateProviders = members(root, 'certificate_providers', readProvider);
  return {
    servers,
    node,
    authorities,
    clientDefaultListenerTemplate,
    serverListenerTemplate,
    certificateProviders,
    allowedGrpcServices: new Map(),
  };
}

function noMap(value: unknown): Rejection {
  return new Rejection(`Cannot read properties of ${value} (reading 'map')`, ['xds_servers']);
}

/** A map by name: any value that is false counts as empty, and others have the members that JavaScript lists. */
function members<T>(root: unknown, key: string, read: (value: unknown, name: string) => T): Map<string, T> {
  const value = member(root, key);
  return new Map(value ? Object.entries(value).map(([name, one]) => [name, read(one, name)]) : []);
}

/** Returns undefined for no list. `call` is the expression that JavaScript names if the value is not a list. */
function readServers(list: unknown, call: string, steps: readonly PathStep[]): XdsServer[] | undefined {
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) throw new Rejection(`${call} is not a function`, steps);
  return list.map((server: unknown, i) => readServer(server, [...steps, i]));
}

const CREDS_TYPES = ['google_default', 'insecure'] as const;

function readServer(server: unknown, steps: readonly PathStep[]): XdsServer {
  if (!isObject(server)) throw new Rejection('xDS server config must be an object', steps);
  const at = (key: string): PathStep[] => [...steps, key];
  if (!hasKey(server, 'server_uri', steps))
    throw new Rejection('server_uri field missing in xds_servers element', at('server_uri'));
  const uri = member(server, 'server_uri');
  if (typeof uri !== 'string')
    throw new Rejection(`xds_servers.server_uri field: expected string, got ${typeof uri}`, at('server_uri'));
  if (!hasKey(server, 'channel_creds', steps))
    throw new Rejection('channel_creds missing in xds_servers element', at('channel_creds'));
  const list = member(server, 'channel_creds');
  if (!Array.isArray(list))
    throw new Rejection(`xds_servers.channel_creds field: expected array, got ${typeof list}`, at('channel_creds'));
  const types: unknown[] = list.map((entry, i) => property(entry, 'type', [...at('channel_creds'), i]));
  const type = types.flatMap((one) => CREDS_TYPES.find((known) => known === one) ?? [])[0];
  if (type === undefined)
    throw new Rejection(
      `xds_servers.channel_creds field: must contain at least one entry with a type in [${CREDS_TYPES}]`,
      at('channel_creds'),
    );
  const features = member(server, 'server_features');
  if (hasKey(server, 'server_features', steps) && !Array.isArray(features))
    throw new Rejection(
      `xds_servers.server_features field: expected array, got ${typeof features}`,
      at('server_features'),
    );
  for (const [i, entry] of list.entries()) checkCreds(entry, [...at('channel_creds'), i]);
  // grpc-js-xds knows no other feature.
  const ignoresDeletion = Array.isArray(features) && features.includes('ignore_resource_deletion');
  const known = ignoresDeletion ? (['ignore_resource_deletion'] as const) : [];
  return { uri, creds: { type }, callCreds: [], features: new Set(known) };
}

function checkCreds(entry: unknown, steps: readonly PathStep[]): void {
  if (!hasKey(entry, 'type', steps))
    throw new Rejection('type field missing in xds_servers.channel_creds element', steps);
  const type = member(entry, 'type');
  if (typeof type !== 'string')
    throw new Rejection(`xds_servers.channel_creds.type field: expected string, got ${typeof type}`, [
      ...steps,
      'type',
    ]);
  if (hasKey(entry, 'config', steps) && !isObject(member(entry, 'config')))
    throw new Rejection('xds_servers.channel_creds config field must be an object if provided', [...steps, 'config']);
}

/** `node`, `node.id` and `node.locality` are required. */
function readNode(node: unknown, json: JsonNode): BootstrapNode {
  if (!hasKey(node, 'id', ['node'])) throw new Rejection('id field missing in node element', ['node', 'id']);
  const id = text(node, 'id', 'node.id', ['node', 'id']);
  if (!hasKey(node, 'locality', ['node']))
    throw new Rejection('locality field missing in node element', ['node', 'locality']);
  const locality = member(node, 'locality');
  const part = (key: string): string => {
    const at = ['node', 'locality', key];
    return hasKey(locality, key, at) ? text(locality, key, at.join('.'), at) : '';
  };
  const parts = { region: part('region'), zone: part('zone'), subZone: part('sub_zone') };
  const cluster = hasKey(node, 'cluster', ['node']) ? text(node, 'cluster', 'node.cluster', ['node', 'cluster']) : '';
  if (hasKey(node, 'metadata', ['node']) && !isObject(member(node, 'metadata')))
    throw new Rejection('Invalid JSON object for Struct field', ['node', 'metadata']);
  const written = json.kind === 'object' ? json.fields.get('node')?.node : undefined;
  const metadata = written?.kind === 'object' ? written.fields.get('metadata')?.node : undefined;
  return { id, cluster, locality: parts, metadata: metadata?.kind === 'object' ? metadata : undefined };
}

function text(object: unknown, key: string, name: string, steps: readonly PathStep[]): string {
  const value = member(object, key);
  if (typeof value === 'string') return value;
  throw new Rejection(`${name} field: expected string, got ${typeof value}`, steps);
}

const TEMPLATE = 'client_listener_resource_name_template';

function readAuthority(authority: unknown, name: string): Authority {
  const at = ['authorities', name];
  let template = '';
  if (hasKey(authority, TEMPLATE, at)) {
    const value = member(authority, TEMPLATE);
    const field = `authorities[${name}].${TEMPLATE}`;
    if (typeof value !== 'string')
      throw new Rejection(`${field}: expected string, got ${typeof value}`, [...at, TEMPLATE]);
    const prefix = `xdstp://${name}/`;
    if (!value.startsWith(prefix)) throw new Rejection(`${field} must start with "${prefix}"`, [...at, TEMPLATE]);
    template = value;
  }
  const list = member(authority, 'xds_servers');
  const servers = readServers(list, 'obj.xds_servers?.map', [...at, 'xds_servers']) ?? [];
  return { clientListenerTemplate: template, servers, fallbackOnReachabilityOnly: false };
}

/** Only the file_watcher plugin is known, and its refresh_interval is required. */
function readProvider(provider: unknown, name: string): CertificateProvider {
  const at = ['certificate_providers', name];
  const instance = `certificate_providers[${name}]`;
  const pluginName = hasKey(provider, 'plugin_name', at) ? member(provider, 'plugin_name') : undefined;
  if (typeof pluginName !== 'string')
    throw new Rejection(`${instance}.plugin_name: expected string, got ${typeof pluginName}`, at);
  // grpc-js-xds looks the name up in an object.
  if (pluginName !== 'file_watcher' && !(pluginName in {}))
    throw new Rejection(`${instance}: unknown plugin_name ${pluginName}`, [...at, 'plugin_name']);
  const config = member(provider, 'config');
  if (!config) throw new Rejection(`${instance}.config: expected object, got ${typeof config}`, [...at, 'config']);
  if (pluginName !== 'file_watcher') return { pluginName, files: undefined };
  return { pluginName, files: readFiles(config, `${instance}.config`, [...at, 'config']) };
}

function readFiles(config: unknown, name: string, steps: readonly PathStep[]): CertificateProvider['files'] {
  const file = (key: string): string | undefined => {
    if (!hasKey(config, key, steps)) return undefined;
    const path = member(config, key);
    if (typeof path === 'string') return path;
    throw new Rejection(`${name}.${key}: expected string, got ${typeof path}`, [...steps, key]);
  };
  const certificate = file('certificate_file');
  const privateKey = file('private_key_file');
  const caCertificate = file('ca_certificate_file');
  const interval = member(config, 'refresh_interval');
  const at = [...steps, 'refresh_interval'];
  if (typeof interval !== 'string')
    throw new Rejection(`${name}.refresh_interval: expected string, got ${typeof interval}`, at);
  if ((privateKey === undefined) !== (certificate === undefined))
    throw new Rejection(`${name}: private_key_file and certificate_file must be provided or omitted together`, steps);
  if (privateKey === undefined && caCertificate === undefined)
    throw new Rejection(
      `${name}: either private_key_file and certificate_file or ca_certificate_file must be set`,
      steps,
    );
  const [, seconds, fraction = ''] = /^(\d+)(?:\.(\d+))?s$/.exec(interval) ?? [];
  if (seconds === undefined)
    throw new Rejection(`${name}.refresh_interval: failed to parse duration from value ${interval}`, at);
  const refreshIntervalMs = Math.trunc(Number(seconds) * 1000 + Number(fraction.padEnd(9, '0')) / 1e6);
  return { certificate, privateKey, caCertificate, spiffeBundleMap: undefined, refreshIntervalMs };
}

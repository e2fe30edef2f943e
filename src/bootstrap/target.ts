import {
  authorityOf,
  encodeAuthority,
  encodePath,
  formatUri,
  fromBytes,
  parseUri,
  toBytes,
  type Uri,
} from '../base/uri.js';
import { authorityKey, authorityName, formatXdsName, parseXdsName, type XdsName } from '../base/xds-name.js';
import type { Bootstrap, XdsServer } from './bootstrap.js';
import type { Preset } from './preset-names.js';
import { policiesOf } from './presets.js';
import type { Switches } from './switches.js';
import { TARGET_RULES, type TargetRules } from './target-rules.js';

const LISTENER_TYPE = 'envoy.config.listener.v3.Listener';

/** The client_scope of a server (A71), and the prefix of a target that denotes a server. */
export const SERVER_SCOPE = '#server';
const SERVER_PREFIX = `${SERVER_SCOPE}:`;

/** `#server:127.0.0.1:80` */
export function serverTarget(address: string): string {
  return `${SERVER_PREFIX}${address}`;
}

/** Returns the listening address of a target that denotes a server; undefined for a client's target. */
export function serverAddress(target: string): string | undefined {
  return target.startsWith(SERVER_PREFIX) ? target.slice(SERVER_PREFIX.length) : undefined;
}

/** The result of resolving a target: its listener and the servers to request it from. */
export interface Resolution {
  /** The client_scope (A71). */
  scope: string;
  /** Selects the virtual host; empty for a server. */
  dataPlaneAuthority: string;
  template: { text: string; from: string };
  listener: string;
  /** The xDS authority of the listener's name; `#old` for names without one. */
  xdsAuthority: string;
  servers: readonly XdsServer[];
  serversFrom: string;
}

export type ResolveResult =
  | { ok: true; resolution: Resolution }
  | {
      ok: false;
      status: string;
      message: string;
      /** gRPC still creates an xDS client, which sends no requests. */
      scope: string | undefined;
    };

export interface ResolveOptions {
  preset: Preset;
  switches: Switches;
  /** gRPC's channel option that replaces the data-plane authority. */
  defaultAuthority: string | undefined;
}

/** Resolves a target to its listener, like gRPC's xds resolver: `xds:///s`, `xds://authority/s`, `s`, `#server:host:port`. */
export function resolveTarget(target: string, bootstrap: Bootstrap, options: ResolveOptions): ResolveResult {
  const address = serverAddress(target);
  if (address !== undefined) return resolveServer(address, bootstrap, options);
  const { targetRules } = policiesOf(options.preset);
  if (targetRules !== undefined) return resolveWith(TARGET_RULES[targetRules], target, bootstrap, options);
  const isUri = /^xds:/i.test(target);
  const uri = parseUri(toBytes(isUri ? target : `xds:///${target}`));
  // gRPC tries to resolve a target that is not a URI as a host name.
  if (uri === undefined) return invalidTarget(target, `dns:///${target}`);
  if (uri.path === '' || uri.path.endsWith('/')) return invalidTarget(target, target);
  const { fragment, authority, scope: ownScope } = targetParts(uri);
  const entry = bootstrap.authorities.get(fromBytes(authority));
  const { normalizeScope } = policiesOf(options.preset);
  const scope = normalizeScope ? ownScope : formatUri(uri);
  if (authority !== '' && entry === undefined) {
    return unavailable(`Invalid target URI -- authority not found for ${fromBytes(authority)}`, fromBytes(scope));
  }
  const template = clientTemplate(authority, entry?.clientListenerTemplate ?? '', bootstrap, inUri(authority));
  const isEncoded = authority !== '' || template.text.startsWith('xdstp:');
  const name = fill(template.text, isEncoded ? encodePath(fragment) : fragment);
  const dataPlane = options.defaultAuthority === undefined ? fragment : toBytes(options.defaultAuthority);
  return finish(fromBytes(scope), fromBytes(encodeAuthority(dataPlane)), template, name, bootstrap, options);
}

/** A channel to follow, from the resolution of its target. */
export interface ResolvedChannel {
  scope: string;
  /** D17: two spellings of a client's target are one channel, named by its scope unless all targets share it. */
  target: string;
  listener: string;
  /** The data-plane authority; undefined for a server. */
  authority: string | undefined;
}

export function channelOf(target: string, { scope, listener, dataPlaneAuthority }: Resolution): ResolvedChannel {
  if (serverAddress(target) !== undefined) return { scope, target, listener, authority: undefined };
  // A client that all targets share has an empty client_scope.
  return { scope, target: scope === '' ? target : scope, listener, authority: dataPlaneAuthority };
}

/** Splits the URI of a target, in bytes: the fragment names the listener, and all spellings share the scope (D17). */
export function targetParts(uri: Uri): {
  fragment: string;
  authority: string;
  scope: string;
  dataPlaneAuthority: string;
} {
  const fragment = uri.path.replace(/^\//, '');
  const authority = authorityOf(uri);
  const scope = `xds://${encodeAuthority(authority)}/${encodePath(fragment)}`;
  return { fragment, authority, scope, dataPlaneAuthority: encodeAuthority(fragment) };
}

function invalidTarget(target: string, tried: string): ResolveResult {
  const message = `Failed to create channel to '${target}':the target uri is not valid: ${tried}`;
  return { ok: false, status: 'UNKNOWN', message, scope: undefined };
}

/** The spelling of an authority in a URI. */
function inUri(authority: string): string {
  const uri = { scheme: 'x', userInfo: '', hostPort: authority, path: '', query: [], fragment: '' };
  return formatUri(uri).slice('x://'.length);
}

function unavailable(message: string, scope: string | undefined): ResolveResult {
  return { ok: false, status: 'UNAVAILABLE', message, scope };
}

/** `encoded` is the authority in a resource name. */
function clientTemplate(authority: string, own: string, bootstrap: Bootstrap, encoded: string): Resolution['template'] {
  if (authority === '') {
    const text = bootstrap.clientDefaultListenerTemplate;
    return text === ''
      ? { text: '%s', from: 'the default' }
      : { text, from: 'client_default_listener_resource_name_template' };
  }
  const name = fromBytes(authority);
  if (own !== '') return { text: own, from: `authorities["${name}"].client_listener_resource_name_template` };
  return { text: `xdstp://${fromBytes(encoded)}/${LISTENER_TYPE}/%s`, from: `the default for authority "${name}"` };
}

/** Resolves a target like another implementation than C-core. */
function resolveWith(
  rules: TargetRules,
  target: string,
  bootstrap: Bootstrap,
  { defaultAuthority, switches }: ResolveOptions,
): ResolveResult {
  const parts = rules.split(target);
  if (parts === undefined) return { ok: false, ...rules.invalidTarget(target), scope: undefined };
  const { authority, name, scope } = parts;
  const entry = bootstrap.authorities.get(authority);
  if (authority !== '' && entry === undefined) return { ok: false, ...rules.unknownAuthority(parts), scope: undefined };
  const encoded = toBytes(rules.templateAuthority(authority));
  const template = clientTemplate(toBytes(authority), entry?.clientListenerTemplate ?? '', bootstrap, encoded);
  const isEncoded = template.text.startsWith('xdstp:');
  const listener = template.text.replaceAll('%s', () => (isEncoded ? rules.encode(name) : name));
  const dataPlaneAuthority = defaultAuthority ?? rules.dataPlaneAuthority(name);
  const isOld = !isEncoded || !switches.federation;
  const parsed = isOld
    ? { name: { kind: 'old' as const, name: listener }, wire: listener }
    : rules.parse(listener, name);
  if (!('wire' in parsed)) return { ok: false, ...parsed, scope };
  const found = authorityName(parsed.name);
  const own = bootstrap.authorities.get(found);
  if (parsed.name.kind === 'xdstp' && own === undefined)
    return { ok: false, ...rules.unknownNameAuthority(found, listener, bootstrap.node?.id ?? ''), scope };
  const servers = serversOf(parsed.name, bootstrap, switches);
  const xdsAuthority = authorityKey(parsed.name);
  return {
    ok: true,
    resolution: { scope, dataPlaneAuthority, template, listener: parsed.wire, xdsAuthority, ...servers },
  };
}

/** The servers of a listener: those of its authority, or the top-level ones. */
function serversOf(
  name: XdsName,
  bootstrap: Bootstrap,
  { fallback }: Switches,
): Pick<Resolution, 'servers' | 'serversFrom'> {
  const authority = authorityName(name);
  const own = name.kind === 'xdstp' ? (bootstrap.authorities.get(authority)?.servers ?? []) : [];
  const isOwn = own.length > 0;
  return {
    servers: (isOwn ? own : bootstrap.servers).slice(0, fallback ? undefined : 1),
    serversFrom: isOwn ? `authorities["${authority}"].xds_servers` : 'xds_servers',
  };
}

function resolveServer(address: string, bootstrap: Bootstrap, options: ResolveOptions): ResolveResult {
  const text = bootstrap.serverListenerTemplate;
  if (text === '') return unavailable('server_listener_resource_name_template not provided in bootstrap', undefined);
  const bytes = toBytes(address);
  const name = fill(text, text.startsWith('xdstp:') ? encodePath(bytes) : bytes);
  return finish(SERVER_SCOPE, '', { text, from: 'server_listener_resource_name_template' }, name, bootstrap, options);
}

/** Replaces every `%s`. The template and the result are text, the fragment is bytes. */
function fill(template: string, fragment: string): string {
  return fromBytes(toBytes(template).replaceAll('%s', () => fragment));
}

function finish(
  scope: string,
  dataPlaneAuthority: string,
  template: Resolution['template'],
  name: string,
  bootstrap: Bootstrap,
  options: ResolveOptions,
): ResolveResult {
  const parsed = parseXdsName(name, LISTENER_TYPE, options.switches.federation);
  // R3.4: a status contains the node id if the bootstrap has a node, even if the id is empty.
  const node = bootstrap.node === undefined ? '' : ` (node ID:${bootstrap.node.id})`;
  const failed = (message: string): ResolveResult =>
    unavailable(`empty address list (LDS resource ${name}: ${message}${node})`, scope);
  if (parsed === undefined) return failed(`Unable to parse resource name ${name}`);
  const authority = authorityName(parsed);
  const entry = bootstrap.authorities.get(authority);
  if (parsed.kind === 'xdstp' && entry === undefined)
    return failed(`authority "${authority}" not present in bootstrap config`);
  return {
    ok: true,
    resolution: {
      scope,
      dataPlaneAuthority,
      template,
      listener: formatXdsName(parsed, policiesOf(options.preset).emptyAuthority),
      xdsAuthority: authorityKey(parsed),
      ...serversOf(parsed, bootstrap, options.switches),
    },
  };
}

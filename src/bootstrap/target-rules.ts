import { encodeAuthority, fromBytes, toBytes } from '../base/uri.js';
import { formatXdsName, parseXdsName, type XdsName } from '../base/xds-name.js';
import { escapePathSegment } from './go-path.js';

/** The parts of a target. */
interface TargetParts {
  authority: string;
  /** The name of the service, which the template of the listener contains. */
  name: string;
  /** The client_scope (A71). */
  scope: string;
}

/** An error of a target. */
interface TargetError {
  status: string;
  message: string;
}

/** How grpc-go, grpc-java and grpc-js-xds find the listener of a target (A47). Each has its own URI parser and errors. */
export interface TargetRules {
  split(target: string): TargetParts | undefined;
  invalidTarget(target: string): TargetError;
  /** The target has an authority that the bootstrap does not have. */
  unknownAuthority(parts: TargetParts): TargetError;
  /** The authority in the template of an authority without one. */
  templateAuthority(authority: string): string;
  /** Encodes a name for a template that begins with `xdstp:`. */
  encode(name: string): string;
  dataPlaneAuthority(name: string): string;
  /** Parses the name of a listener that begins with `xdstp:`. */
  parse(listener: string, service: string): { name: XdsName; wire: string } | TargetError;
  /** The listener's name has an authority that the bootstrap does not have. */
  unknownNameAuthority(authority: string, listener: string, nodeId: string): TargetError;
}

const LISTENER_TYPE = 'envoy.config.listener.v3.Listener';
const unavailable = (message: string): TargetError => ({ status: 'UNAVAILABLE', message });
const unknown = (message: string): TargetError => ({ status: 'UNKNOWN', message });

function withScheme(target: string): string {
  return /^xds:/i.test(target) ? target : `xds:///${target}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Splits a URI whose path is decoded, and whose query and fragment are ignored. */
function splitDecoded(target: string, isHost: RegExp): Omit<TargetParts, 'scope'> | undefined {
  const [, authority = '', path = ''] = /^xds:(?:\/\/([^/?#]*))?([^?#]*)/i.exec(withScheme(target)) ?? [];
  const name = decoded(path)?.replace(/^\//, '');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return name === undefined || !isHost.test(host) ? undefined : { authority: host, name };
}

function encodeSegments(text: string, encode: (segment: string) => string): string {
  return text.split('/').map(encode).join('/');
}

const encodedAuthority = (name: string): string => fromBytes(encodeAuthority(toBytes(name)));

/** url.Parse accepts these hosts. */
const GO_HOST = /^(?:\[[0-9a-f:.]+\]|[^\s%[\]<>"\\^`{|}:]*)(?::\d*)?$/i;

const GO_TARGETS: TargetRules = {
  split(target) {
    const parts = splitDecoded(target, GO_HOST);
    return parts && { ...parts, scope: `xds://${parts.authority}/${parts.name}` };
  },
  invalidTarget: (target) => unknown(`failed to build resolver: the target "${target}" is not a URI`),
  unknownAuthority: ({ authority, scope }) =>
    unavailable(`xds: authority "${authority}" specified in dial target "${scope}" is not found in the bootstrap file`),
  templateAuthority: escapePathSegment,
  encode: (name) => encodeSegments(name, escapePathSegment),
  dataPlaneAuthority: (name) => `${name.startsWith(':') ? 'localhost' : ''}${encodedAuthority(name)}`,
  // grpc-go does not compare the type in the name with the type of the resource.
  parse(listener) {
    const [, type = ''] = /^xdstp:(?:\/\/[^/?#]*)?\/([^/?#]*)\//.exec(listener) ?? [];
    const name = parseXdsName(listener, type, true) ?? { kind: 'old', name: listener };
    return { name, wire: formatXdsName(name, 'xdstp:/') };
  },
  unknownNameAuthority(authority, listener, nodeId) {
    const node = `[xDS node id: ${nodeId}]: `;
    const cause = `authority "${authority}" not found in the config for resource "${listener}"`;
    return unavailable(
      `name resolver error: ${node}rpc error: code = Unavailable desc = listener resource error: ${node}${node}${cause}`,
    );
  },
};

/** Guava's escaper for a segment of a path. */
function escapeJavaSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, (part) => decodeURIComponent(part));
}

const JAVA_TARGETS: TargetRules = {
  split(target) {
    const text = withScheme(target);
    const parts = /[\s<>"\\^`{|}]|%(?![0-9a-f]{2})/i.test(text) ? undefined : splitDecoded(text, /^[^%]*$/);
    return parts && { ...parts, scope: text };
  },
  invalidTarget: (target) => unknown(`Could not find a NameResolverProvider for ${target}`),
  unknownAuthority: () => unavailable('invalid target URI: target authority not found in the bootstrap'),
  templateAuthority: (authority) => authority,
  encode: (name) => encodeSegments(name, escapeJavaSegment),
  dataPlaneAuthority: encodedAuthority,
  parse(listener, service) {
    const name = parseXdsName(listener, LISTENER_TYPE, true);
    if (name === undefined) return unavailable(`invalid listener resource URI for service authority: ${service}`);
    return { name, wire: formatXdsName(name, 'xdstp:/') };
  },
  unknownNameAuthority: (_authority, listener) =>
    unavailable(`Wrong configuration: xds server does not exist for resource ${listener}`),
};

const NODE_TARGETS: TargetRules = {
  // The path is neither decoded nor cut before a query.
  split(target) {
    const [, authority = '', name = ''] = /^xds:(?:\/\/([^/]*)\/)?(.+)$/.exec(withScheme(target)) ?? [];
    // All targets share one client, whose client_scope is empty.
    return name === '' ? undefined : { authority, name, scope: '' };
  },
  invalidTarget: (target) => unavailable(`Failed to parse DNS address dns:${target}`),
  unknownAuthority: ({ authority, name }) =>
    unavailable(
      `xDS name resolution failed for target xds://${authority}/${name}: Authority ${authority} not found in bootstrap file`,
    ),
  templateAuthority: (authority) => authority,
  encode: (name) => name.replace(/[^A-Za-z0-9._~!$&^()*+,;=/-]+/g, encodeURIComponent),
  dataPlaneAuthority: (name) => name,
  // The client decodes the name: doing it here as well would change it.
  parse(listener) {
    const [, path = ''] = /^xdstp:(?:\/\/[^/?#]*)?\/?([^?#]*)/.exec(listener) ?? [];
    const [type] = (decoded(path) ?? path).split('/');
    if (type !== LISTENER_TYPE) return unknown('xdstp URI path must indicate valid xDS resource type.');
    const name = parseXdsName(listener, LISTENER_TYPE, true) ?? { kind: 'old', name: listener };
    return { name, wire: listener };
  },
  unknownNameAuthority: (authority) => unknown(`Authority ${authority} not found in bootstrap authorities list`),
};

export const TARGET_RULES = { 'grpc-go': GO_TARGETS, 'grpc-java': JAVA_TARGETS, 'grpc-node': NODE_TARGETS } as const;

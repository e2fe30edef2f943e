import { nearest } from '../../base/nearest.js';
import type { PathStep } from '../../base/problem.js';
import { SERVER_FEATURES, type XdsServer } from '../bootstrap.js';
import { KNOWN_CREDS } from '../read-creds.js';
import { unusableAddress } from '../server-address.js';
import { finding, type LintContext, type LintFinding, type LintRule } from './finding.js';
import { objectsIn, servers, stringIn, strings } from './walk.js';

const FOREIGN_SCHEME = /^(https?|grpcs?|xds|tcp):/i;
const LOOPBACK = /^(dns:\/{0,3}|ipv4:|ipv6:|passthrough:\/{0,3})?(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)(:\d+)?$/i;
const LOCAL = /^(unix|unix-abstract|vsock):/i;

/** XI013, XI014, XI043: an address that gRPC accepts but cannot connect to as intended. */
export const serverAddresses: LintRule = ({ root }) =>
  servers(root).flatMap(({ node, steps }) => {
    const uri = stringIn(node, 'server_uri');
    const at = [...steps, 'server_uri'];
    if (uri === undefined) return [];
    const scheme = FOREIGN_SCHEME.exec(uri)?.[1];
    if (scheme?.toLowerCase() === 'xds') {
      const message = `"${uri}": gRPC cannot resolve the address of an xDS server over xDS; use an address such as dns:///host:port`;
      return [finding('XI013', at, message)];
    }
    if (scheme !== undefined) {
      const message = `"${uri}": gRPC does not know the scheme "${scheme}" and looks up the whole text in DNS; write host:port`;
      return [finding('XI013', at, message)];
    }
    if (uri === '') return [finding('XI014', at, 'the address is empty', 'error')];
    const unusable = unusableAddress(uri);
    if (unusable !== undefined) return [finding('XI043', at, `no channel can connect to "${uri}": ${unusable.reason}`)];
    const host = uri.replace(/^dns:\/\/[^/]*\//i, '').replace(/^dns:/i, '');
    const hasPort = /:\d+$/.test(host) || LOCAL.test(uri) || /^(ipv4|ipv6|passthrough|google-c2p):/i.test(uri);
    return hasPort ? [] : [finding('XI014', at, `"${uri}" has no port: gRPC uses 443`)];
  });

/** XI015, XI016: credentials that do not match the address. */
export const credsForAddress: LintRule = ({ bootstrap }) =>
  eachServer(bootstrap).flatMap(({ server, steps }) => {
    const isLocal = LOOPBACK.test(server.uri) || LOCAL.test(server.uri);
    const at = [...steps, 'channel_creds'];
    if (server.creds.type === 'insecure' && !isLocal) {
      const message = `insecure credentials for ${server.uri}: anyone on the network path can read or replace the configuration`;
      return [finding('XI015', at, message)];
    }
    if (server.creds.type === 'google_default' && isLocal) {
      const message = `google_default credentials for ${server.uri}: Google's certificates are not valid for local addresses`;
      return [finding('XI016', at, message)];
    }
    return [];
  });

/** XI017, XI018: entries of channel_creds that gRPC never uses, or whose type is misspelt. */
export const credsTypes: LintRule = ({ root }) =>
  servers(root).flatMap(({ node, steps }) => {
    const creds = objectsIn(node, 'channel_creds').map((c) => ({
      type: stringIn(c.node, 'type') ?? '',
      steps: [...steps, ...c.steps, 'type'],
    }));
    const known = (type: string): boolean => KNOWN_CREDS.some((name) => name === type);
    return creds.flatMap(({ type, steps: at }) => {
      const meant = known(type) || type === '' ? undefined : nearest(type, KNOWN_CREDS);
      if (meant !== undefined) return [finding('XI018', at, `gRPC does not know "${type}"; did you mean "${meant}"?`)];
      if (type === 'fake') return [finding('XI017', at, '"fake" credentials are for gRPC\'s own tests', 'warning')];
      if (type !== '' && !known(type)) return [finding('XI017', at, `gRPC does not know "${type}" and ignores it`)];
      return [];
    });
  });

/** XI019, XI020: call credentials that gRPC ignores, or that make every stream fail. */
export const callCreds: LintRule = ({ root, switches }) =>
  servers(root).flatMap(({ node, steps }) => {
    if (!node.fields.has('call_creds')) return [];
    const at = [...steps, 'call_creds'];
    if (!switches.callCreds) {
      const ignored = 'gRPC ignores call_creds unless GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS is true';
      return [finding('XI019', at, ignored)];
    }
    const isInsecure = objectsIn(node, 'channel_creds').some((c) => stringIn(c.node, 'type') === 'insecure');
    const message =
      'gRPC does not send tokens over an insecure channel: every stream to this server fails with UNAUTHENTICATED';
    return isInsecure ? [finding('XI020', at, message)] : [];
  });

/** XI021 to XI025: server features that are obsolete, misspelt, deprecated or without effect. */
export const serverFeatures: LintRule = ({ root, switches }) =>
  servers(root).flatMap(({ node, steps }) =>
    strings(node, 'server_features').flatMap((feature) =>
      aboutFeature(feature.value, [...steps, ...feature.steps], switches),
    ),
  );

function aboutFeature(name: string, at: readonly PathStep[], switches: LintContext['switches']): LintFinding[] {
  if (name === 'xds_v3') return [finding('XI021', at, '"xds_v3" has no effect: version 3 is the only version')];
  if (!SERVER_FEATURES.some((known) => known === name)) {
    const words = name.replaceAll('-', '_').toLowerCase();
    const meant =
      words === 'resource_timer_is_transient_failure'
        ? 'resource_timer_is_transient_error'
        : (SERVER_FEATURES.find((known) => known === words) ?? nearest(words, SERVER_FEATURES));
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
    return [finding('XI022', at, `gRPC does not know the server feature "${name}" and ignores it${hint}`)];
  }
  if (name === 'ignore_resource_deletion') {
    const instead = switches.dataErrorHandling
      ? 'gRPC keeps deleted resources by default, unless fail_on_data_errors is set (A88)'
      : 'with A88 it has no effect, because gRPC then keeps deleted resources by default';
    return [finding('XI024', at, `"ignore_resource_deletion" is deprecated: ${instead}`)];
  }
  if (name === 'trusted_xds_server') return [];
  if (!switches.dataErrorHandling)
    return [finding('XI023', at, `"${name}" has no effect while GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING is off`)];
  if (name === 'fail_on_data_errors') return [];
  const message =
    '"resource_timer_is_transient_error" requires a server that reports missing resources itself (xRFC TP3); with any other server, gRPC never reports that a resource does not exist';
  return [finding('XI025', at, message)];
}

/** XI039, XI040, XI042: fallback servers that gRPC can never use, and entries for one server with different features. */
export const fallbackServers: LintRule = ({ bootstrap, switches }) => {
  if (bootstrap === undefined) return [];
  const lists: { servers: XdsServer[]; steps: PathStep[] }[] = [{ servers: bootstrap.servers, steps: ['xds_servers'] }];
  for (const [name, authority] of bootstrap.authorities)
    lists.push({ servers: authority.servers, steps: ['authorities', name, 'xds_servers'] });
  const found = lists.flatMap(({ servers: list, steps }) =>
    list.flatMap((server, i) => {
      if (i > 0 && !switches.fallback) {
        const message = 'GRPC_EXPERIMENTAL_XDS_FALLBACK is off: gRPC uses only the first server of a list';
        return [finding('XI042', [...steps, i], message)];
      }
      const twin = list.slice(0, i).findIndex((other) => other.uri === server.uri);
      const message = `same address as ${pathText(steps)}[${twin}]: if that server is unreachable, this fallback server is unreachable too`;
      return twin < 0 ? [] : [finding('XI039', [...steps, i], message)];
    }),
  );
  return [...found, ...differentFeatures(eachServer(bootstrap))];
};

function differentFeatures(all: { server: XdsServer; steps: PathStep[] }[]): LintFinding[] {
  return all.flatMap(({ server, steps }, i) => {
    const other = all
      .slice(0, i)
      .find((o) => o.server.uri === server.uri && featureKey(o.server) !== featureKey(server));
    if (other === undefined) return [];
    const message = `${pathText(other.steps)} has the same address but different features: gRPC opens two connections to it`;
    return [finding('XI040', [...steps, 'server_features'], message)];
  });
}

function featureKey({ features }: XdsServer): string {
  return [...features].sort().join();
}

function eachServer(bootstrap: LintContext['bootstrap']): { server: XdsServer; steps: PathStep[] }[] {
  if (bootstrap === undefined) return [];
  const top = bootstrap.servers.map((server, i) => ({ server, steps: ['xds_servers', i] as PathStep[] }));
  const others = [...bootstrap.authorities].flatMap(([name, { servers: list }]) =>
    list.map((server, i) => ({ server, steps: ['authorities', name, 'xds_servers', i] as PathStep[] })),
  );
  return [...top, ...others];
}

function pathText(steps: readonly PathStep[]): string {
  return steps
    .map((step, i) =>
      typeof step === 'number' ? `[${step}]` : i === 0 ? step : /^\w+$/.test(step) ? `.${step}` : `["${step}"]`,
    )
    .join('');
}

import { nearest } from '../../base/nearest.js';
import type { PathStep } from '../../base/problem.js';
import { SERVER_FEATURES, type XdsServer } from '../bootstrap.js';
import { KNOWN_CREDS } from '../read-creds.js';
import { finding, type LintContext, type LintFinding, type LintRule } from './finding.js';
import { objectsIn, servers, stringIn, strings } from './walk.js';

const FOREIGN_SCHEME = /^(https?|grpcs?|xds|tcp):/i;
const LOOPBACK = /^(dns:\/{0,3}|ipv4:|ipv6:|passthrough:\/{0,3})?(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)(:\d+)?$/i;
const LOCAL = /^(unix|unix-abstract|vsock):/i;

/** XI013, XI014: an address that gRPC takes but cannot mean what it says. */
export const serverAddresses: LintRule = ({ root }) =>
  servers(root).flatMap(({ node, steps }) => {
    const uri = stringIn(node, 'server_uri');
    const at = [...steps, 'server_uri'];
    if (uri === undefined) return [];
    const scheme = FOREIGN_SCHEME.exec(uri)?.[1];
    if (scheme?.toLowerCase() === 'xds') {
      const message = `"${uri}": an xDS server cannot itself be found over xDS; give its address, such as dns:///host:port`;
      return [finding('XI013', at, message)];
    }
    if (scheme !== undefined) {
      const message = `"${uri}": gRPC has no scheme "${scheme}" and looks the whole text up in DNS; write host:port`;
      return [finding('XI013', at, message)];
    }
    if (uri === '') return [finding('XI014', at, 'the address is empty', 'error')];
    const host = uri.replace(/^dns:\/\/[^/]*\//i, '').replace(/^dns:/i, '');
    const hasPort = /:\d+$/.test(host) || LOCAL.test(uri) || /^(ipv4|ipv6|passthrough|google-c2p):/i.test(uri);
    return hasPort ? [] : [finding('XI014', at, `"${uri}" has no port: gRPC takes 443`)];
  });

/** XI015, XI016: credentials that do not fit the address. */
export const credsForAddress: LintRule = ({ bootstrap }) =>
  eachServer(bootstrap).flatMap(({ server, steps }) => {
    const isHere = LOOPBACK.test(server.uri) || LOCAL.test(server.uri);
    const at = [...steps, 'channel_creds'];
    if (server.creds.type === 'insecure' && !isHere) {
      const message = `insecure credentials to ${server.uri}: configuration crosses the network in the clear, and anyone can send it`;
      return [finding('XI015', at, message)];
    }
    if (server.creds.type === 'google_default' && isHere) {
      const message = `google_default credentials to ${server.uri}: Google's certificates are not for addresses of this machine`;
      return [finding('XI016', at, message)];
    }
    return [];
  });

/** XI017, XI018: entries of channel_creds that are never used, or are spelt in capitals. */
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
      if (type !== '' && !known(type)) return [finding('XI017', at, `gRPC does not know "${type}" and passes it over`)];
      return [];
    });
  });

/** XI019, XI020: call credentials that are not used, or make every stream fail. */
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
      'gRPC sends no token over an insecure channel: every stream to this server fails with UNAUTHENTICATED';
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
  if (name === 'xds_v3') return [finding('XI021', at, '"xds_v3" has no effect any more: there is only version 3')];
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
      ? 'a resource that is gone is kept anyway, unless fail_on_data_errors is set (A88)'
      : 'with A88 switched on it has no effect: keeping becomes the default';
    return [finding('XI024', at, `"ignore_resource_deletion" is deprecated: ${instead}`)];
  }
  if (name === 'trusted_xds_server') return [];
  if (!switches.dataErrorHandling)
    return [finding('XI023', at, `"${name}" has no effect while GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING is off`)];
  if (name === 'fail_on_data_errors') return [];
  const message =
    '"resource_timer_is_transient_error" is for servers that report missing resources themselves (xRFC TP3); with any other, a resource that does not exist is never reported as such';
  return [finding('XI025', at, message)];
}

/** XI039, XI040, XI042: fallback servers that can never be used, and one server with two sets of features. */
export const fallbackServers: LintRule = ({ bootstrap, switches }) => {
  if (bootstrap === undefined) return [];
  const lists: { servers: XdsServer[]; steps: PathStep[] }[] = [{ servers: bootstrap.servers, steps: ['xds_servers'] }];
  for (const [name, authority] of bootstrap.authorities)
    lists.push({ servers: authority.servers, steps: ['authorities', name, 'xds_servers'] });
  const found = lists.flatMap(({ servers: list, steps }) =>
    list.flatMap((server, i) => {
      if (i > 0 && !switches.fallback) {
        const message = 'GRPC_EXPERIMENTAL_XDS_FALLBACK is off: only the first server of a list is used';
        return [finding('XI042', [...steps, i], message)];
      }
      const twin = list.slice(0, i).findIndex((other) => other.uri === server.uri);
      const message = `the same address as ${pathText(steps)}[${twin}]: when that one cannot be reached, neither can this fallback`;
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
    const message = `${pathText(other.steps)} has the same address with other features: gRPC keeps two connections to it`;
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

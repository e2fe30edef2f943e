import { quoteGo } from '../../base/go-quote.js';
import type { PathStep } from '../../base/problem.js';
import type {
  Authority,
  Bootstrap,
  BootstrapNode,
  CertificateProvider,
  ChannelCreds,
  XdsServer,
} from '../bootstrap.js';
import { escapePathSegment } from '../go-path.js';
import type { BootstrapResult } from '../read-bootstrap.js';
import type { Switches } from '../switches.js';
import { buildCallCreds, buildChannelCreds, type GoCreds, goCreds, readPemFiles } from './go-creds.js';
import { goCustom, goMap, goPointer, goRaw, goSlice, goString, goStruct, unmarshal } from './go-decode.js';
import { goMetadata } from './go-struct-json.js';
import { goSyntaxError, indented } from './go-text.js';
import { type RawNode, textOf } from './raw-json.js';
import { Crash, notJson, Rejection, resultOf, wrapErrors } from './rejection.js';
import { readStrictJson } from './strict-json.js';

const NIL_POINTER = 'panic: runtime error: invalid memory address or nil pointer dereference';

/** A server, and all entries of its channel_creds. */
interface GoServer {
  server: XdsServer;
  allCreds: GoCreds[];
}

/** `undefined` is a nil pointer. */
type GoServers = (GoServer | undefined)[];

interface GoAuthority {
  client_listener_resource_name_template: string;
  xds_servers: GoServers;
}

interface GoProvider {
  plugin_name: string;
  config: RawNode | undefined;
}

interface GoConfig {
  xds_servers: GoServers;
  certificate_providers: ReadonlyMap<string, GoProvider>;
  server_listener_resource_name_template: string;
  client_default_listener_resource_name_template: string;
  authorities: ReadonlyMap<string, GoAuthority | undefined>;
  node: Omit<BootstrapNode, 'locality'> & { locality: { region: string; zone: string; sub_zone: string } };
  allowed_grpc_services: Bootstrap['allowedGrpcServices'];
}

/** Reads a bootstrap like grpc-go: stops at the first error, and knows fewer features than C-core. */
export function readGoBootstrap(bytes: Uint8Array, switches: Switches): BootstrapResult {
  const json = readStrictJson(textOf(bytes));
  if (!json.ok) {
    const reason = goSyntaxError(json);
    return notJson(`xds: error normalizing JSON bootstrap configuration: ${reason}`, reason, json.offset);
  }
  const { root } = json;
  return resultOf(root, () => {
    const text = indented(root);
    const config = wrapErrors(
      () => unmarshal(configType(switches), root, EMPTY, []),
      (cause) => `xds: json.Unmarshal(${text}) failed during bootstrap: ${cause}`,
    );
    return bootstrapOf(config, text, switches);
  });
}

const EMPTY: GoConfig = {
  xds_servers: [],
  certificate_providers: new Map(),
  server_listener_resource_name_template: '',
  client_default_listener_resource_name_template: '',
  authorities: new Map(),
  node: { id: '', cluster: '', locality: { region: '', zone: '', sub_zone: '' }, metadata: undefined },
  allowed_grpc_services: new Map(),
};

const CHANNEL_CREDS = goCreds('ChannelCreds');
const CALL_CREDS = goCreds('CallCredsConfig');
const CREDS_LISTS = {
  channel_creds: goSlice(CHANNEL_CREDS.type, CHANNEL_CREDS.empty),
  call_creds: goSlice(CALL_CREDS.type, CALL_CREDS.empty),
};

function configType(switches: Switches): ReturnType<typeof goStruct<GoConfig>> {
  const servers = goCustom('bootstrap.ServerConfigs', (node, steps) => readServers(node, steps, switches));
  return goStruct<GoConfig>('configJSON', {
    xds_servers: servers,
    certificate_providers: goMap(
      goStruct<GoProvider>('certproviderNameAndConfig', { plugin_name: goString, config: goRaw }),
      { plugin_name: '', config: undefined },
    ),
    server_listener_resource_name_template: goString,
    client_default_listener_resource_name_template: goString,
    authorities: goMap(
      goPointer(
        goStruct<GoAuthority>('Authority', { client_listener_resource_name_template: goString, xds_servers: servers }),
        { client_listener_resource_name_template: '', xds_servers: [] },
      ),
      undefined,
    ),
    node: goStruct<GoConfig['node']>('node', {
      id: goString,
      cluster: goString,
      locality: goStruct('locality', { region: goString, zone: goString, sub_zone: goString }),
      metadata: goMetadata,
    }),
    allowed_grpc_services: goCustom('bootstrap.AllowedGRPCServices', (node, steps) =>
      switches.extProcOnClient ? readServices(node, steps, switches) : new Map(),
    ),
  });
}

function readServers(node: RawNode, steps: readonly PathStep[], switches: Switches): GoServers {
  const server = goCustom('bootstrap.ServerConfig', (one, at) => readServer(one, at, switches));
  return wrapErrors(
    () => unmarshal(goSlice(goPointer(server, undefined as never), undefined), node, [], steps),
    (cause) =>
      `xds: failed to JSON unmarshal server configurations during bootstrap: ${cause}, config:\n${indented(node)}`,
  );
}

const SERVER = goStruct<{
  server_uri: string;
  channel_creds: GoCreds[];
  call_creds: GoCreds[];
  server_features: string[];
}>('serverConfigJSON', { server_uri: goString, ...CREDS_LISTS, server_features: goSlice(goString, '') });

function readServer(node: RawNode, steps: readonly PathStep[], switches: Switches): GoServer {
  const text = indented(node);
  const read = wrapErrors(
    () => unmarshal(SERVER, node, { server_uri: '', channel_creds: [], call_creds: [], server_features: [] }, steps),
    (cause) => `xds: failed to JSON unmarshal server configuration during bootstrap: ${cause}, config:\n${text}`,
  );
  const creds = firstKnown(
    read.channel_creds,
    switches,
    steps,
    (type) => `failed to build credentials bundle from bootstrap for ${quoteGo(type)}`,
  );
  const callCreds = switches.callCreds
    ? allKnown(read.call_creds, steps, (type) => `failed to build call credentials from bootstrap for ${quoteGo(type)}`)
    : [];
  const empty = (field: string): never => {
    const cause = `xds: \`${field}\` field in server config cannot be empty`;
    throw new Rejection(`${cause}: ${text}`, [...steps, field], cause);
  };
  if (read.server_uri === '') return empty('server_uri');
  if (creds === undefined) return empty('channel_creds');
  const features = new Set(KNOWN_FEATURES.filter((feature) => read.server_features.includes(feature)));
  return { server: { uri: read.server_uri, creds, callCreds, features }, allCreds: read.channel_creds };
}

/** grpc-go does not implement A88. */
const KNOWN_FEATURES = ['ignore_resource_deletion', 'trusted_xds_server'] as const;

/** The first entry of a known type: grpc-go does not look at the entries after it. */
function firstKnown(
  list: readonly GoCreds[],
  switches: Switches,
  steps: readonly PathStep[],
  prefix: (type: string) => string,
): ChannelCreds | undefined {
  for (const [i, entry] of list.entries()) {
    const creds = wrapErrors(
      () => buildChannelCreds(entry, switches, [...steps, 'channel_creds', i]),
      (cause) => `${prefix(entry.type)}: ${cause}`,
    );
    if (creds !== undefined) return creds;
  }
  return undefined;
}

function allKnown(
  list: readonly GoCreds[],
  steps: readonly PathStep[],
  prefix: (type: string) => string,
): XdsServer['callCreds'] {
  return list.flatMap((entry, i) => {
    const creds = wrapErrors(
      () => buildCallCreds(entry, [...steps, 'call_creds', i]),
      (cause) => `${prefix(entry.type)}: ${cause}`,
    );
    return creds ?? [];
  });
}

function readServices(
  node: RawNode,
  steps: readonly PathStep[],
  switches: Switches,
): GoConfig['allowed_grpc_services'] {
  type Service = { creds: ChannelCreds; callCreds: XdsServer['callCreds'] };
  const service = goCustom('bootstrap.AllowedGRPCService', (one, at): Service => {
    const read = unmarshal(SERVICE, one, { channel_creds: [], call_creds: [] }, at);
    const failed = (kind: string) => (type: string) =>
      `xds: failed to build ${kind} from bootstrap for allowed grpc service: type ${quoteGo(type)}, err`;
    const creds = firstKnown(read.channel_creds, switches, at, failed('credentials bundle'));
    if (creds === undefined) {
      const cause = 'xds: no supported channel credentials found for allowed grpc service in config';
      throw new Rejection(`${cause}:\n${indented(one)}`, at, cause);
    }
    return { creds, callCreds: allKnown(read.call_creds, at, failed('call credentials')) };
  });
  const services = unmarshal(goMap(goPointer(service, undefined as never), undefined), node, new Map(), steps);
  const known = new Map<string, Service>();
  for (const [target, one] of services) {
    if (one === undefined)
      throw new Rejection(
        `xds: allowed_grpc_services entry ${quoteGo(target)} has no configuration in bootstrap config`,
        [...steps, target],
      );
    known.set(target, one);
  }
  return known;
}

const SERVICE = goStruct<{ channel_creds: GoCreds[]; call_creds: GoCreds[] }>('allowedGRPCServiceJSON', CREDS_LISTS);

function bootstrapOf(config: GoConfig, text: string, switches: Switches): Bootstrap {
  const certificateProviders = new Map<string, CertificateProvider>();
  for (const [name, { plugin_name: pluginName, config: settings }] of config.certificate_providers) {
    // grpc-go ignores plugins that it does not know.
    if (pluginName !== 'file_watcher') continue;
    const files = wrapErrors(
      () => readPemFiles(settings, switches, ['certificate_providers', name, 'config']),
      (cause) =>
        `xds: config parsing for certificate provider plugin ${quoteGo(pluginName)} failed during bootstrap: ${cause}`,
    );
    certificateProviders.set(name, { pluginName, files });
  }
  if (config.xds_servers.length === 0) {
    const cause = 'xds: required field `xds_servers` not found in bootstrap configuration';
    throw new Rejection(`${cause}: ${text}`, ['xds_servers'], cause);
  }
  const authorities = new Map<string, Authority>();
  for (const [name, authority] of config.authorities) authorities.set(name, checkedAuthority(name, authority));
  for (const [name, authority] of config.authorities)
    if (authority !== undefined && authority.xds_servers.length > 0)
      checkClient(authority.xds_servers, ['authorities', name, 'xds_servers'], switches);
  const { region, zone, sub_zone: subZone } = config.node.locality;
  return {
    servers: checkClient(config.xds_servers, ['xds_servers'], switches),
    node: { ...config.node, locality: { region, zone, subZone } },
    authorities,
    clientDefaultListenerTemplate: config.client_default_listener_resource_name_template,
    serverListenerTemplate: config.server_listener_resource_name_template,
    certificateProviders,
    allowedGrpcServices: config.allowed_grpc_services,
  };
}

/** A template needs no slash after the authority. */
function checkedAuthority(name: string, authority: GoAuthority | undefined): Authority {
  const at = ['authorities', name];
  if (authority === undefined) throw new Crash(NIL_POINTER, at);
  const template = authority.client_listener_resource_name_template;
  const prefix = `xdstp://${escapePathSegment(name)}`;
  if (template !== '' && !template.startsWith(prefix))
    throw new Rejection(
      `xds: field clientListenerResourceNameTemplate ${quoteGo(template)} of authority ${quoteGo(name)} doesn't start with prefix ${quoteGo(prefix)}`,
      [...at, 'client_listener_resource_name_template'],
    );
  const servers = authority.xds_servers.flatMap((one) => one?.server ?? []);
  return { clientListenerTemplate: template, servers, fallbackOnReachabilityOnly: false };
}

/** The client builds the credentials of all entries, not only of the one that it uses. */
function checkClient(servers: GoServers, steps: readonly PathStep[], switches: Switches): XdsServer[] {
  return servers.map((one, i) => {
    const at = [...steps, i];
    if (one === undefined) throw new Crash(NIL_POINTER, at);
    for (const [j, entry] of one.allCreds.entries())
      wrapErrors(
        () => buildChannelCreds(entry, switches, [...at, 'channel_creds', j]),
        (cause) => `xds: failed to build credentials bundle from bootstrap for ${quoteGo(entry.type)}: ${cause}`,
      );
    return one.server;
  });
}

import type { JsonNode } from '../base/json/node.js';
import { isSecretName, REDACTED, redactText } from '../base/secret-name.js';
import type {
  Authority,
  Bootstrap,
  CallCreds,
  CertificateProvider,
  ChannelCreds,
  TlsFiles,
  XdsServer,
} from './bootstrap.js';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

/**
 * Formats a bootstrap as JSON, with flags applied. Contains only the fields that gRPC reads, so that unrelated contents
 * of the file are not disclosed. Contains the names of files, not their contents. Unless `keepsSecrets` is set, values in
 * `node.metadata` whose key denotes a secret become `[redacted]`.
 */
export function effectiveBootstrap(bootstrap: Bootstrap, keepsSecrets: boolean): Json {
  const { node, authorities, certificateProviders, allowedGrpcServices } = bootstrap;
  return {
    xds_servers: bootstrap.servers.map((server) => serverJson(server, keepsSecrets)),
    node: node && {
      id: node.id,
      cluster: node.cluster,
      locality: { region: node.locality.region, zone: node.locality.zone, sub_zone: node.locality.subZone },
      metadata: node.metadata && jsonOf(node.metadata, keepsSecrets),
    },
    authorities: byName(authorities, (one) => authorityJson(one, keepsSecrets)),
    certificate_providers: byName(certificateProviders, providerJson),
    allowed_grpc_services: byName(allowedGrpcServices, ({ creds, callCreds }) => ({
      channel_creds: [credsJson(creds)],
      call_creds: callCreds.map(callCredsJson),
    })),
    client_default_listener_resource_name_template: bootstrap.clientDefaultListenerTemplate,
    server_listener_resource_name_template: bootstrap.serverListenerTemplate,
  };
}

function byName<T>(map: ReadonlyMap<string, T>, json: (value: T) => Json): Json {
  return Object.fromEntries([...map].map(([name, value]) => [name, json(value)]));
}

function serverJson({ uri, creds, callCreds, features }: XdsServer, keepsSecrets: boolean): Json {
  return {
    server_uri: keepsSecrets ? uri : redactText(uri),
    channel_creds: [credsJson(creds)],
    call_creds: callCreds.map(callCredsJson),
    server_features: [...features],
  };
}

function credsJson(creds: ChannelCreds): Json {
  return creds.type === 'tls' ? { type: 'tls', config: filesJson(creds.files) } : { type: creds.type };
}

function callCredsJson({ type, path }: CallCreds): Json {
  return { type, config: { jwt_token_file: path } };
}

function filesJson(files: TlsFiles): Json {
  return {
    certificate_file: files.certificate,
    private_key_file: files.privateKey,
    ca_certificate_file: files.caCertificate,
    spiffe_bundle_map_file: files.spiffeBundleMap,
    refresh_interval: `${files.refreshIntervalMs / 1000}s`,
  };
}

function authorityJson(
  { clientListenerTemplate, servers, fallbackOnReachabilityOnly }: Authority,
  keepsSecrets: boolean,
): Json {
  return {
    client_listener_resource_name_template: clientListenerTemplate,
    xds_servers: servers.map((server) => serverJson(server, keepsSecrets)),
    fallback_on_reachability_only: fallbackOnReachabilityOnly,
  };
}

function providerJson({ pluginName, files }: CertificateProvider): Json {
  return { plugin_name: pluginName, config: files && filesJson(files) };
}

function jsonOf(node: JsonNode, keepsSecrets: boolean): Json {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(
        [...node.fields].map(([key, { node: value }]) => [
          key,
          !keepsSecrets && isSecretName(key) ? REDACTED : jsonOf(value, keepsSecrets),
        ]),
      );
    case 'array':
      return node.elements.map((one) => jsonOf(one, keepsSecrets));
    case 'number':
      // C-core accepts numbers that JSON cannot represent, such as 1e400.
      return Number.isFinite(Number(node.text)) ? Number(node.text) : null;
    case 'null':
      return null;
    default:
      return node.value;
  }
}

import type { JsonNode } from '../base/json/node.js';

/** Channel credentials of a type that gRPC knows, with their config. */
export type ChannelCreds = { type: 'insecure' | 'google_default' | 'fake' } | { type: 'tls'; files: TlsFiles };

export interface TlsFiles {
  certificate: string | undefined;
  privateKey: string | undefined;
  caCertificate: string | undefined;
  /** Only in C-core, and only if its switch is on. */
  spiffeBundleMap: string | undefined;
  refreshIntervalMs: number;
}

export interface CallCreds {
  type: 'jwt_token_file';
  path: string;
}

/** Features that change how gRPC treats a server (R4.7); gRPC ignores all others. */
export const SERVER_FEATURES = [
  'ignore_resource_deletion',
  'fail_on_data_errors',
  'resource_timer_is_transient_error',
  'trusted_xds_server',
] as const;

type ServerFeature = (typeof SERVER_FEATURES)[number];

export interface XdsServer {
  uri: string;
  creds: ChannelCreds;
  callCreds: CallCreds[];
  features: ReadonlySet<ServerFeature>;
  /** A flag names it, not a bootstrap. */
  isByFlag?: boolean;
}

export interface BootstrapNode {
  id: string;
  cluster: string;
  locality: { region: string; zone: string; subZone: string };
  metadata: JsonNode | undefined;
}

export interface Authority {
  /** Empty if the default applies. */
  clientListenerTemplate: string;
  /** Empty if the top-level servers apply. */
  servers: XdsServer[];
  fallbackOnReachabilityOnly: boolean;
}

export interface CertificateProvider {
  pluginName: string;
  files: TlsFiles | undefined;
}

/** A bootstrap file that gRPC accepts. */
export interface Bootstrap {
  servers: XdsServer[];
  node: BootstrapNode | undefined;
  authorities: ReadonlyMap<string, Authority>;
  clientDefaultListenerTemplate: string;
  serverListenerTemplate: string;
  certificateProviders: ReadonlyMap<string, CertificateProvider>;
  allowedGrpcServices: ReadonlyMap<string, { creds: ChannelCreds; callCreds: CallCreds[] }>;
}

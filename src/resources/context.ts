import { isSwitchOn } from '../base/switch.js';

/** What changes how a resource is judged, besides the resource itself. */
export interface ResourceContext {
  switches: ResourceSwitches;
  /** Names of the certificate providers in the bootstrap; `undefined` where there is no bootstrap to know them from. */
  certificateProviders: ReadonlySet<string> | undefined;
  /** The server that sent the resource is in the bootstrap with `trusted_xds_server`. */
  trustedServer: boolean;
  /** Targets that `allowed_grpc_services` of the bootstrap names. */
  allowedGrpcServices: ReadonlySet<string>;
  /** Network interfaces by name, for zones in IPv6 addresses. */
  interfaces: ReadonlyMap<string, number>;
}

/** gRPC's environment switches that change verdicts. */
export interface ResourceSwitches {
  /** Names that begin with `xdstp:` are read as such (A47). */
  federation: boolean;
  /** Errors that servers report for single resources are read (A88). */
  dataErrorHandling: boolean;
  rlsLb: boolean;
  dualstackEndpoints: boolean;
  sni: boolean;
  httpConnect: boolean;
  compositeFilter: boolean;
  extProcOnClient: boolean;
  rbacAuditLogging: boolean;
  /** While on, endpoint metadata is not read for hash keys. */
  hashKeyCompat: boolean;
}

/** Reads the switches as C-core does: what is set to no known word is off. */
export function readResourceSwitches(
  variables: Record<string, string | undefined>,
  dataErrorsByDefault: boolean,
): ResourceSwitches {
  const experimental = (name: string, byDefault: boolean): boolean =>
    isSwitchOn(variables, `GRPC_EXPERIMENTAL_XDS_${name}`, byDefault);
  return {
    federation: experimental('FEDERATION', true),
    dataErrorHandling: experimental('DATA_ERROR_HANDLING', dataErrorsByDefault),
    rlsLb: experimental('RLS_LB', true),
    dualstackEndpoints: experimental('DUALSTACK_ENDPOINTS', true),
    sni: experimental('SNI', true),
    httpConnect: experimental('HTTP_CONNECT', false),
    compositeFilter: experimental('COMPOSITE_FILTER', false),
    extProcOnClient: experimental('EXT_PROC_ON_CLIENT', false),
    rbacAuditLogging: experimental('RBAC_AUDIT_LOGGING', false),
    hashKeyCompat: isSwitchOn(variables, 'GRPC_XDS_ENDPOINT_HASH_KEY_BACKWARD_COMPAT', true),
  };
}

/** The same for a client, which talks to servers of both kinds. */
export type ClientContext = Omit<ResourceContext, 'trustedServer'>;

import { isSwitchOn } from '../base/switch.js';
import type { NewResponseValidator } from './response-validator.js';

/** Settings other than the resource itself that affect its validation. */
export interface ResourceContext {
  switches: ResourceSwitches;
  /** The environment variables of the program, for implementations whose switches differ from C-core's. */
  variables?: Readonly<Record<string, string | undefined>>;
  /** Names of the certificate providers in the bootstrap; `undefined` if there is no bootstrap. */
  certificateProviders: ReadonlySet<string> | undefined;
  /** The bootstrap lists the server that sent the resource with `trusted_xds_server`. */
  trustedServer: boolean;
  /** The targets in `allowed_grpc_services` of the bootstrap. */
  allowedGrpcServices: ReadonlySet<string>;
  /** Network interfaces by name, for zones in IPv6 addresses. */
  interfaces: ReadonlyMap<string, number>;
  /** How many elements of lists are read; undefined for all. */
  maxParts?: number;
  /** The validation of an implementation other than C-core. */
  newValidator?: NewResponseValidator;
  /** Another implementation decides: keep the parts after an error, because it may accept the resource. */
  keepsInvalidParts?: boolean;
}

/** gRPC's environment variables that affect validation. */
export interface ResourceSwitches {
  /** gRPC parses names that begin with `xdstp:` (A47). */
  federation: boolean;
  /** gRPC reads `resource_errors` of responses (A88). */
  dataErrorHandling: boolean;
  rlsLb: boolean;
  dualstackEndpoints: boolean;
  sni: boolean;
  httpConnect: boolean;
  compositeFilter: boolean;
  extProcOnClient: boolean;
  rbacAuditLogging: boolean;
  /** If true, gRPC does not read hash keys from endpoint metadata. */
  hashKeyCompat: boolean;
}

/** Reads the switches as C-core does: an unknown value turns a switch off. */
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

/** The context of a client, whose servers may or may not be trusted. */
export type ClientContext = Omit<ResourceContext, 'trustedServer'>;

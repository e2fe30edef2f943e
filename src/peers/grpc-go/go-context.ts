import type { ResourceContext } from '../../resources/context.js';

/** The settings of grpc-go that affect validation. */
export interface GoContext {
  switches: GoSwitches;
  /** `undefined` if there is no bootstrap. */
  certificateProviders: ReadonlySet<string> | undefined;
  trustedServer: boolean;
  allowedGrpcServices: ReadonlySet<string>;
}

/** grpc-go's environment variables that affect validation. */
interface GoSwitches {
  dualstackEndpoints: boolean;
  systemRootCerts: boolean;
  httpConnect: boolean;
  sni: boolean;
  extProc: boolean;
  extAuthz: boolean;
  gcpAuthentication: boolean;
  hashKeyCompat: boolean;
  requestHashKey: boolean;
}

export function goContextOf(context: ResourceContext): GoContext {
  const { certificateProviders, trustedServer, allowedGrpcServices, variables = {} } = context;
  return { switches: readGoSwitches(variables), certificateProviders, trustedServer, allowedGrpcServices };
}

function readGoSwitches(variables: Readonly<Record<string, string | undefined>>): GoSwitches {
  // A switch keeps its default unless the value is the opposite, in any case.
  const isOn = (name: string, byDefault: boolean): boolean =>
    variables[name]?.toLowerCase() === String(!byDefault) ? !byDefault : byDefault;
  const experimental = (name: string, byDefault: boolean): boolean => isOn(`GRPC_EXPERIMENTAL_${name}`, byDefault);
  return {
    dualstackEndpoints: experimental('XDS_DUALSTACK_ENDPOINTS', true),
    systemRootCerts: experimental('XDS_SYSTEM_ROOT_CERTS', false),
    httpConnect: experimental('XDS_HTTP_CONNECT', false),
    sni: experimental('XDS_SNI', false),
    extProc: experimental('XDS_EXT_PROC_ON_CLIENT', false),
    extAuthz: experimental('XDS_EXT_AUTHZ_ON_CLIENT', false),
    gcpAuthentication: experimental('XDS_GCP_AUTHENTICATION_FILTER', false),
    hashKeyCompat: isOn('GRPC_XDS_ENDPOINT_HASH_KEY_BACKWARD_COMPAT', false),
    requestHashKey: experimental('RING_HASH_SET_REQUEST_HASH_KEY', true),
  };
}

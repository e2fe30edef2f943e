import type { ResourceContext } from '../../resources/context.js';

/** What grpc-java's validation depends on besides the resource. */
export interface Settings {
  /** Names of the certificate providers in the bootstrap; `undefined` if there is no bootstrap. */
  certificateProviders: ReadonlySet<string> | undefined;
  trustedServer: boolean;
  allowedGrpcServices: ReadonlySet<string>;
  /** Network interfaces by name, for zones in IPv6 addresses. */
  interfaces: ReadonlyMap<string, number>;
  flags: Flags;
}

/** grpc-java's environment variables that affect validation. */
interface Flags {
  leastRequest: boolean;
  systemRootCerts: boolean;
  httpConnect: boolean;
  routeLookup: boolean;
  extProcOnClient: boolean;
  dualstackEndpoints: boolean;
  /** The variable that lets the config of ring_hash name a request header. */
  requestHashKey: boolean;
}

export function settingsOf({
  certificateProviders,
  trustedServer,
  allowedGrpcServices,
  interfaces,
  variables = {},
}: ResourceContext): Settings {
  const flag = (name: string, byDefault: boolean): boolean => isOn(variables[name], byDefault);
  return {
    certificateProviders,
    trustedServer,
    allowedGrpcServices,
    interfaces,
    flags: {
      leastRequest: flag('GRPC_EXPERIMENTAL_ENABLE_LEAST_REQUEST', true),
      systemRootCerts: flag('GRPC_EXPERIMENTAL_XDS_SYSTEM_ROOT_CERTS', true),
      httpConnect: flag('GRPC_EXPERIMENTAL_XDS_HTTP_CONNECT', false),
      routeLookup: flag('GRPC_EXPERIMENTAL_XDS_RLS_LB', true),
      extProcOnClient: flag('GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_CLIENT', false),
      dualstackEndpoints: flag('GRPC_EXPERIMENTAL_XDS_DUALSTACK_ENDPOINTS', false),
      requestHashKey: flag('GRPC_EXPERIMENTAL_RING_HASH_SET_REQUEST_HASH_KEY', false),
    },
  };
}

/** grpc-java reads only "true" in any case as true. An empty variable counts as unset. */
function isOn(value: string | undefined, byDefault: boolean): boolean {
  const text = value?.trim() ?? '';
  return text === '' ? byDefault : text.toLowerCase() === 'true';
}

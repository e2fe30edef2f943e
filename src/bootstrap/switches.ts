import { isSwitchOn } from '../base/switch.js';

/** gRPC's environment switches that concern xDS. */
export interface Switches {
  federation: boolean;
  dataErrorHandling: boolean;
  callCreds: boolean;
  extProcOnClient: boolean;
  mtlsSpiffe: boolean;
  fallback: boolean;
  /** A95: an authority may ask for fallback whenever a server is down. */
  endpointFallback: boolean;
}

/** Whose behaviour is shown: the project's own reading of the gRFCs, or C-core to the letter. */
export type Preset = 'spec' | 'c-core';

export function readSwitches(variables: Record<string, string | undefined>, preset: Preset): Switches {
  const isOn = (name: string, byDefault: boolean): boolean => isSwitchOn(variables, name, byDefault);
  return {
    federation: isOn('GRPC_EXPERIMENTAL_XDS_FEDERATION', true),
    // D13: on unless the variable says no; C-core has it off unless it says yes.
    dataErrorHandling: isOn('GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING', preset === 'spec'),
    callCreds: isOn('GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS', false),
    extProcOnClient: isOn('GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_CLIENT', false),
    mtlsSpiffe: isOn('GRPC_EXPERIMENTAL_XDS_MTLS_SPIFFE', false),
    endpointFallback: isOn('GRPC_EXPERIMENTAL_XDS_ENDPOINT_FALLBACK', false),
    // D23: C-core no longer reads it.
    fallback: preset === 'c-core' || isOn('GRPC_EXPERIMENTAL_XDS_FALLBACK', true),
  };
}

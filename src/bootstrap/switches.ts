import { isSwitchOn } from '../base/switch.js';
import type { Preset } from './preset-names.js';
import type { PresetDefinition } from './presets/definition.js';
import { PRESETS } from './presets.js';

/** gRPC's xDS features that environment variables enable or disable. */
export interface Switches {
  federation: boolean;
  dataErrorHandling: boolean;
  callCreds: boolean;
  extProcOnClient: boolean;
  mtlsSpiffe: boolean;
  fallback: boolean;
  /** A95: an authority may request fallback whenever a server is down. */
  endpointFallback: boolean;
}

export type { Preset };

export function readSwitches(variables: Record<string, string | undefined>, preset: Preset): Switches {
  const isOn = (name: string, byDefault: boolean): boolean => isSwitchOn(variables, name, byDefault);
  const definition: PresetDefinition = PRESETS[preset];
  const {
    dataErrorHandling,
    canHandleDataErrors,
    canDisableFederation,
    canDisableFallback,
    missing = [],
  } = definition.switches;
  const switches: Switches = {
    federation: !canDisableFederation || isOn('GRPC_EXPERIMENTAL_XDS_FEDERATION', true),
    dataErrorHandling: canHandleDataErrors && isOn('GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING', dataErrorHandling),
    callCreds: isOn('GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS', false),
    extProcOnClient: isOn('GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_CLIENT', false),
    mtlsSpiffe: isOn('GRPC_EXPERIMENTAL_XDS_MTLS_SPIFFE', false),
    endpointFallback: isOn('GRPC_EXPERIMENTAL_XDS_ENDPOINT_FALLBACK', false),
    fallback: !canDisableFallback || isOn('GRPC_EXPERIMENTAL_XDS_FALLBACK', true),
  };
  for (const feature of missing) switches[feature] = false;
  return switches;
}

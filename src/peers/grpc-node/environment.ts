import type { ResourceContext } from '../../resources/context.js';

/** The environment variables of grpc-js-xds that affect validation. */
export interface NodeSwitches {
  faultInjection: boolean;
  outlierDetection: boolean;
  retry: boolean;
  federation: boolean;
  customLbConfig: boolean;
  ringHash: boolean;
  pickFirst: boolean;
  dualstackEndpoints: boolean;
  rbac: boolean;
  weightedRoundRobin: boolean;
}

/** What the validators of grpc-js-xds need to know in addition to the resource. */
export interface NodeContext {
  switches: NodeSwitches;
  /** Undefined if there is no bootstrap. */
  certificateProviders: ReadonlySet<string> | undefined;
}

/** grpc-js-xds turns a switch off unless its value is exactly `true`. */
export function nodeContext({ variables = {}, certificateProviders }: ResourceContext): NodeContext {
  const isOn = (name: string, byDefault = true): boolean => (variables[name] ?? String(byDefault)) === 'true';
  return {
    certificateProviders,
    switches: {
      faultInjection: isOn('GRPC_XDS_EXPERIMENTAL_FAULT_INJECTION'),
      outlierDetection: isOn('GRPC_EXPERIMENTAL_ENABLE_OUTLIER_DETECTION'),
      retry: isOn('GRPC_XDS_EXPERIMENTAL_ENABLE_RETRY'),
      federation: isOn('GRPC_EXPERIMENTAL_XDS_FEDERATION'),
      customLbConfig: isOn('GRPC_EXPERIMENTAL_XDS_CUSTOM_LB_CONFIG'),
      ringHash: isOn('GRPC_XDS_EXPERIMENTAL_ENABLE_RING_HASH'),
      pickFirst: isOn('GRPC_EXPERIMENTAL_PICKFIRST_LB_CONFIG', false),
      dualstackEndpoints: isOn('GRPC_EXPERIMENTAL_XDS_DUALSTACK_ENDPOINTS'),
      rbac: isOn('GRPC_XDS_EXPERIMENTAL_RBAC', false),
      weightedRoundRobin: isOn('GRPC_EXPERIMENTAL_XDS_WRR_LB', false),
    },
  };
}

/** Whether the bootstrap has the certificate provider. Without a bootstrap, this cannot be checked. */
export function hasProvider({ certificateProviders }: NodeContext, name: string): boolean {
  return certificateProviders?.has(name) ?? true;
}

import type { Bootstrap } from '../bootstrap/bootstrap.js';
import { validatesAsCCore } from '../bootstrap/preset-names.js';
import { PRESETS } from '../bootstrap/presets.js';
import { type Preset, readSwitches } from '../bootstrap/switches.js';
import type { NodeIdentity } from '../core/node.js';
import { validatorOf } from '../peers/response-validators.js';
import { readResourceSwitches } from '../resources/context.js';
import type { EngineOptions } from './engine.js';

export interface ClientEnvironment {
  preset: Preset;
  /** Environment variables, including gRPC's feature switches. */
  variables: Record<string, string | undefined>;
  userAgentName: string;
  userAgentVersion: string;
  /** Network interfaces by name, for zones in IPv6 addresses. */
  interfaces: ReadonlyMap<string, number>;
  seed: number;
  /** Overrides the resource timers of the preset. */
  resourceTimerMs?: number | undefined;
}

/** The node of a client with this bootstrap. */
export function nodeOf(
  { node }: Bootstrap,
  { preset, userAgentName, userAgentVersion }: Pick<ClientEnvironment, 'preset' | 'userAgentName' | 'userAgentVersion'>,
): NodeIdentity {
  const { clientFeatures = undefined } = PRESETS[preset].identity ?? {};
  const features = clientFeatures && { clientFeatures };
  return { id: node?.id ?? '', userAgentName, userAgentVersion, ...features, ...(node && { bootstrap: node }) };
}

/** The options of an engine that behaves as a gRPC program with this bootstrap in this environment. */
export function engineOptions(
  bootstrap: Bootstrap,
  environment: ClientEnvironment,
): EngineOptions & Required<Pick<EngineOptions, 'authorities' | 'context' | 'policies'>> {
  const { preset, variables, interfaces, seed, resourceTimerMs } = environment;
  const switches = readSwitches(variables, preset);
  // D23: without fallback, gRPC uses only the first server of each list.
  const limit = switches.fallback ? undefined : 1;
  return {
    servers: bootstrap.servers.slice(0, limit),
    authorities: new Map(
      [...bootstrap.authorities].map(([name, { servers, fallbackOnReachabilityOnly }]) => [
        name,
        {
          servers: servers.slice(0, limit),
          alwaysFallBack: switches.endpointFallback && fallbackOnReachabilityOnly,
        },
      ]),
    ),
    node: nodeOf(bootstrap, environment),
    seed,
    policies: {
      ...PRESETS[preset].policies,
      ...(resourceTimerMs !== undefined && { resourceTimerMs, transientTimerMs: resourceTimerMs }),
    },
    context: {
      switches: {
        ...readResourceSwitches(variables, switches.dataErrorHandling),
        dataErrorHandling: switches.dataErrorHandling,
        federation: switches.federation,
      },
      variables,
      certificateProviders: new Set(bootstrap.certificateProviders.keys()),
      allowedGrpcServices: new Set(bootstrap.allowedGrpcServices.keys()),
      interfaces,
      ...(validatesAsCCore(preset) ? {} : validatorOf(preset)),
    },
  };
}

import type { Bootstrap } from '../bootstrap/bootstrap.js';
import { PRESETS } from '../bootstrap/presets.js';
import { type Preset, readSwitches } from '../bootstrap/switches.js';
import { readResourceSwitches } from '../resources/context.js';
import type { EngineOptions } from './engine.js';

export interface Surroundings {
  preset: Preset;
  /** Environment variables, with gRPC's switches. */
  variables: Record<string, string | undefined>;
  userAgentName: string;
  userAgentVersion: string;
  /** Network interfaces by name, for zones in IPv6 addresses. */
  interfaces: ReadonlyMap<string, number>;
  seed: number;
}

/** The options of an engine that behaves as a gRPC program with this bootstrap in these surroundings. */
export function engineOptions(
  bootstrap: Bootstrap,
  surroundings: Surroundings,
): EngineOptions & Required<Pick<EngineOptions, 'authorities' | 'context' | 'policies'>> {
  const { preset, variables, userAgentName, userAgentVersion, interfaces, seed } = surroundings;
  const switches = readSwitches(variables, preset);
  // D23: without fallback only the first server of each list is used.
  const limit = switches.fallback ? undefined : 1;
  return {
    servers: bootstrap.servers.slice(0, limit),
    authorities: new Map(
      [...bootstrap.authorities].map(([name, { servers, fallbackOnReachabilityOnly }]) => [
        name,
        {
          servers: servers.slice(0, limit),
          fallsBackAlways: switches.endpointFallback && fallbackOnReachabilityOnly,
        },
      ]),
    ),
    node: {
      id: bootstrap.node?.id ?? '',
      userAgentName,
      userAgentVersion,
      ...(bootstrap.node && { bootstrap: bootstrap.node }),
    },
    seed,
    policies: PRESETS[preset].policies,
    context: {
      switches: readResourceSwitches(variables, switches.dataErrorHandling),
      certificateProviders: new Set(bootstrap.certificateProviders.keys()),
      allowedGrpcServices: new Set(bootstrap.allowedGrpcServices.keys()),
      interfaces,
    },
  };
}

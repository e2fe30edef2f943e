import type { Preset } from '../../bootstrap/switches.js';
import type { Surroundings } from '../../engine/options.js';
import { interfacesByName } from '../../io/network-interfaces.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';

/** What a client goes by that no bootstrap says. */
export function surroundingsOf(args: Arguments, env: CliEnvironment): Surroundings {
  return {
    preset: args.as as Preset,
    variables: env.variables,
    userAgentName: (args.userAgent as string | undefined) ?? 'xds-inspect',
    userAgentVersion: env.version,
    interfaces: interfacesByName(),
    seed: env.clock.now(),
  };
}

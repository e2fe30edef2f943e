import { behaviourOf } from '../../bootstrap/behaviour.js';
import type { XdsServer } from '../../bootstrap/bootstrap.js';
import { readBootstrap } from '../../bootstrap/read-bootstrap.js';
import { type Preset, readSwitches, type Switches } from '../../bootstrap/switches.js';
import { type Resolution, resolveTarget } from '../../bootstrap/target.js';
import { jsonText } from '../../view/render/json.js';
import { resolutionText, type ServerDescription } from '../../view/resolution.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { findBootstrap } from './bootstrap-source.js';

/** `bootstrap resolve`: 65 if the bootstrap is bad, 79 if gRPC could not use the target with it. */
export async function bootstrapResolve(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const target = args.target as string;
  const preset = args.as as Preset;
  const switches = readSwitches(env.variables, preset);
  const source = await findBootstrap((args.file ?? args.bootstrap) as string | undefined, env);
  if (source.kind === 'unreadable') throw new Failure(EXIT.badInput, source.explanation);
  const read = readBootstrap(source.bytes, switches);
  if (!read.ok)
    throw new Failure(EXIT.badInput, `${source.name}: ${read.message}\nTry: xds-inspect bootstrap validate`);
  const result = resolveTarget(target, read.bootstrap, {
    preset,
    switches,
    defaultAuthority: args.defaultAuthority as string | undefined,
  });
  const base = { schema: 'xds-inspect/resolve/v1', as: preset, source: source.name, target };
  if (!result.ok) {
    const error = { code: result.status, message: result.message };
    env.stdout.write(
      args.output === 'json' ? jsonText({ ...base, error }) : resolutionText({ target, source: source.name, error }),
    );
    return EXIT.findings;
  }
  const { resolution } = result;
  const servers = resolution.servers.map((server, priority) => describeServer(server, priority, switches, preset));
  const json = { ...base, error: null, ...documentOf(resolution), servers };
  env.stdout.write(
    args.output === 'json' ? jsonText(json) : resolutionText({ target, source: source.name, resolution, servers }),
  );
  return EXIT.ok;
}

function documentOf({ scope, dataPlaneAuthority, listener, template, xdsAuthority, serversFrom }: Resolution): object {
  return { scope, dataPlaneAuthority, listener, template, authority: xdsAuthority, serversFrom };
}

/** Credentials by type only: what their files hold is nobody's business. */
function describeServer(server: XdsServer, priority: number, switches: Switches, preset: Preset): ServerDescription {
  return {
    uri: server.uri,
    priority,
    creds: server.creds.type,
    callCreds: server.callCreds.map((creds) => creds.type),
    features: [...server.features],
    behaviour: behaviourOf(server, switches, preset),
  };
}

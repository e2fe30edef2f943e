import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { InputProblem } from '../../base/input-problem.js';
import { behaviourOf } from '../../bootstrap/behaviour.js';
import { readBootstrap } from '../../bootstrap/read-bootstrap.js';
import { readSwitches } from '../../bootstrap/switches.js';
import { resolveTarget } from '../../bootstrap/target.js';
import { findBootstrap } from '../../io/bootstrap-source.js';
import type { BootstrapResolveInput } from '../commands/bootstrap-resolve.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';

/** `bootstrap resolve`: 65 if the bootstrap is bad, 79 if gRPC could not use the target with it. */
export async function bootstrapResolve(input: BootstrapResolveInput, env: CliEnvironment): Promise<ExitCode> {
  const { target, as, output, defaultAuthority } = input;
  const out = new Printer(input, env);
  const switches = readSwitches(env.variables, as);
  const source = await findBootstrap(input.file ?? input.bootstrap, env);
  if (source.kind === 'unreadable') throw new InputProblem(source.explanation);
  const read = readBootstrap(source.bytes, switches);
  if (!read.ok) throw new InputProblem(`${source.name}: ${read.message}\nTry: xds-inspect bootstrap validate`);
  const result = resolveTarget(target, read.bootstrap, { preset: as, switches, defaultAuthority });
  const base = { schema: 'xds-inspect/resolve/v1' as const, as, source: source.name, target };
  if (!result.ok) {
    await out.print('resolve', output, { ...base, error: { code: result.status, message: result.message } });
    return EXIT.findings;
  }
  const { xdsAuthority: authority, servers, ...resolution } = result.resolution;
  // Credentials by type only: what their files hold is nobody's business.
  const described = servers.map((server, priority) => ({
    uri: server.uri,
    priority,
    creds: server.creds.type,
    callCreds: server.callCreds.map((creds) => creds.type),
    features: [...server.features],
    behaviour: behaviourOf(server, switches, as),
  }));
  await out.print('resolve', output, { ...base, error: null, ...resolution, authority, servers: described });
  return EXIT.ok;
}

import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { foreignTarget } from '../../bootstrap/foreign-target.js';
import { readSwitches } from '../../bootstrap/switches.js';
import { loadBootstrap } from '../../io/bootstrap-source.js';
import type { CliEnvironment } from '../../io/environment.js';
import { resolveDocument } from '../../view/resolution.js';
import type { BootstrapResolveInput } from '../commands/bootstrap-resolve.js';
import { Printer } from '../printer.js';

/** `bootstrap resolve`: exits with 65 if the bootstrap is invalid, and with 79 if gRPC cannot use the target with it. */
export async function bootstrapResolve(input: BootstrapResolveInput, env: CliEnvironment): Promise<ExitCode> {
  const { as: preset, target, defaultAuthority } = input;
  const foreign = foreignTarget(target);
  if (foreign !== undefined) throw new UsageError(`${target}: ${foreign}`);
  const switches = readSwitches(env.variables, preset);
  const { origin, bootstrap } = await loadBootstrap(input.file ?? input.bootstrap, preset, switches, env);
  const document = resolveDocument(target, origin, bootstrap, { preset, switches, defaultAuthority });
  await new Printer(input, env).print('resolve', input.output, document);
  return document.error === null ? EXIT.ok : EXIT.findings;
}

import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { InputProblem } from '../../base/input-problem.js';
import { readBootstrap } from '../../bootstrap/read-bootstrap.js';
import { readSwitches } from '../../bootstrap/switches.js';
import { findBootstrap } from '../../io/bootstrap-source.js';
import { resolveDocument } from '../../view/resolution.js';
import type { BootstrapResolveInput } from '../commands/bootstrap-resolve.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';

/** `bootstrap resolve`: 65 if the bootstrap is bad, 79 if gRPC could not use the target with it. */
export async function bootstrapResolve(input: BootstrapResolveInput, env: CliEnvironment): Promise<ExitCode> {
  const { as: preset, target, defaultAuthority } = input;
  const switches = readSwitches(env.variables, preset);
  const source = await findBootstrap(input.file ?? input.bootstrap, env);
  if (source.kind === 'unreadable') throw new InputProblem(source.explanation);
  const read = readBootstrap(source.bytes, switches);
  if (!read.ok) throw new InputProblem(`${source.name}: ${read.message}\nTry: xds-inspect bootstrap validate`);
  const document = resolveDocument(target, source.name, read.bootstrap, { preset, switches, defaultAuthority });
  await new Printer(input, env).print('resolve', input.output, document);
  return document.error === null ? EXIT.ok : EXIT.findings;
}

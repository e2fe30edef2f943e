import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import { PRESETS } from '../../bootstrap/presets.js';
import { readSwitches } from '../../bootstrap/switches.js';
import { contextOf } from '../../inspect/validate/context.js';
import {
  type FilesReport,
  joinReports,
  outcomeOf,
  suppressIn,
  unreadableFile,
  validateFile,
} from '../../inspect/validate/files.js';
import { blockingWork } from '../../io/blocking-work.js';
import { loadBootstrap } from '../../io/bootstrap-source.js';
import type { CliEnvironment } from '../../io/environment.js';
import { interfacesByName } from '../../io/network-interfaces.js';
import { resourceSources } from '../../io/resource-sources.js';
import { readResourceSwitches } from '../../resources/context.js';
import type { ValidateInput } from '../commands/validate.js';
import { Printer } from '../printer.js';

const EXITS = { success: EXIT.ok, findings: EXIT.findings, unreadable: EXIT.badInput };

/** `validate`: validates every file, even if others are invalid. */
export async function validate(input: ValidateInput, env: CliEnvironment): Promise<ExitCode> {
  const { as, output } = input;
  const context = contextOf(await bootstrapFor(input, env), {
    preset: as,
    switches: readResourceSwitches(env.variables, PRESETS[as].switches.dataErrorHandling),
    variables: env.variables,
    interfaces: interfacesByName(),
  });
  const reports: FilesReport[] = [];
  for (const typed of input.files)
    for await (const read of resourceSources(typed, env.readStdin))
      reports.push(
        'bytes' in read
          ? blockingWork(() => validateFile(read.source, read.bytes, context))
          : unreadableFile(read.source, read.problem),
      );
  const report = suppressIn(joinReports(reports), input.suppress);
  await new Printer(input, env).print('validate', output, { as, report });
  return EXITS[outcomeOf(report, input.failureThreshold)];
}

/** The bootstrap is optional. */
async function bootstrapFor({ bootstrap, as }: ValidateInput, env: CliEnvironment): Promise<Bootstrap | undefined> {
  const { GRPC_XDS_BOOTSTRAP, GRPC_XDS_BOOTSTRAP_CONFIG } = env.variables;
  if ((bootstrap ?? GRPC_XDS_BOOTSTRAP ?? GRPC_XDS_BOOTSTRAP_CONFIG) === undefined) return undefined;
  return (await loadBootstrap(bootstrap, readSwitches(env.variables, as), env)).bootstrap;
}

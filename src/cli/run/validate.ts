import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import { PRESET_NAMES, type Preset } from '../../bootstrap/preset-names.js';
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
import { type ResourceContext, readResourceSwitches } from '../../resources/context.js';
import type { ValidateInput } from '../commands/validate.js';
import { Printer } from '../printer.js';

const NO_SARIF =
  '-o sarif excludes --as all: give one --as per file. Its log has notes on other implementations (DL01, …) even without it';

const EXITS = { success: EXIT.ok, findings: EXIT.findings, unreadable: EXIT.badInput };

/** `validate`: validates every file, even if others are invalid. */
export async function validate(input: ValidateInput, env: CliEnvironment): Promise<ExitCode> {
  const { as, output } = input;
  if (as === 'all') {
    if (output === 'sarif') throw new UsageError(NO_SARIF);
    const reports = await reportsOf(PRESET_NAMES, input, env);
    return await (await import('./validate-all.js')).validateAll(reports, { ...input, output }, env);
  }
  if (input.require !== undefined) throw new UsageError('--require requires --as all');
  const report = (await reportsOf([as], input, env)).get(as) as FilesReport;
  const code = EXITS[outcomeOf(report, input.failureThreshold)];
  await print(report, as, code, input, env);
  return code;
}

async function print(
  report: FilesReport,
  as: Preset,
  code: ExitCode,
  input: ValidateInput,
  env: CliEnvironment,
): Promise<void> {
  const out = new Printer(input, env);
  if (input.output !== 'sarif') return await out.print('validate', input.output, { as, report });
  const { sarifFor } = await import('./sarif.js');
  const { validateAnalysis } = await import('../../view/sarif/file-analysis.js');
  const isComplete = report.unreadable.length === 0;
  await out.print('sarif', 'sarif', sarifFor(validateAnalysis(report, as), { code, isComplete }, env));
}

/** The reports of several implementations. Each file is read once: it may be stdin. */
async function reportsOf(
  presets: readonly Preset[],
  input: ValidateInput,
  env: CliEnvironment,
): Promise<Map<Preset, FilesReport>> {
  const contexts: [Preset, ResourceContext][] = [];
  for (const preset of presets) contexts.push([preset, await contextFor(preset, input, env)]);
  const reports = new Map(presets.map((preset) => [preset, [] as FilesReport[]]));
  for (const typed of input.files) {
    for await (const read of resourceSources(typed, env.readStdin)) {
      for (const [preset, context] of contexts)
        reports
          .get(preset)
          ?.push(
            'bytes' in read
              ? blockingWork(() => validateFile(read.source, read.bytes, context))
              : unreadableFile(read.source, read.problem),
          );
    }
  }
  return new Map([...reports].map(([preset, all]) => [preset, suppressIn(joinReports(all), input.suppress)]));
}

async function contextFor(preset: Preset, input: ValidateInput, env: CliEnvironment): Promise<ResourceContext> {
  return contextOf(await bootstrapFor(preset, input, env), {
    preset,
    switches: readResourceSwitches(env.variables, PRESETS[preset].switches.dataErrorHandling),
    variables: env.variables,
    interfaces: interfacesByName(),
  });
}

/** The bootstrap is optional. */
async function bootstrapFor(
  preset: Preset,
  { bootstrap }: ValidateInput,
  env: CliEnvironment,
): Promise<Bootstrap | undefined> {
  const { GRPC_XDS_BOOTSTRAP, GRPC_XDS_BOOTSTRAP_CONFIG } = env.variables;
  if ((bootstrap ?? GRPC_XDS_BOOTSTRAP ?? GRPC_XDS_BOOTSTRAP_CONFIG) === undefined) return undefined;
  return (await loadBootstrap(bootstrap, preset, readSwitches(env.variables, preset), env)).bootstrap;
}

import { type BootstrapProblem, type BootstrapReport, judgeBootstrap } from '../../bootstrap/report.js';
import { type Preset, readSwitches } from '../../bootstrap/switches.js';
import { inspectCertificateFile } from '../../io/certificate-file.js';
import { githubAnnotation } from '../../view/render/annotation.js';
import { bootstrapText } from '../../view/render/bootstrap.js';
import { jsonText } from '../../view/render/json.js';
import { paintFor } from '../../view/render/paint.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { findBootstrap } from './bootstrap-source.js';
import { readSuppressed } from './suppressed.js';

const SEVERITIES = ['error', 'warning', 'note'];

/** `bootstrap validate`: the verdict is data, so it goes to stdout in every format. */
export async function bootstrapValidate(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const suppressed = readSuppressed(args, env);
  const typed = (args.file ?? args.bootstrap) as string | undefined;
  const source = await findBootstrap(typed, env);
  const bytes = source.kind === 'text' ? source.bytes : new Uint8Array(0);
  const judged = source.kind === 'text' ? judge(bytes, typed, args, env) : unreadable(source.error, source.explanation);
  const report = {
    ...judged,
    problems: judged.problems.filter((p) => p.code === 'XI001' || p.code === 'XI002' || !suppressed.has(p.code)),
  };
  if (args.output === 'json')
    env.stdout.write(jsonText({ schema: 'xds-inspect/bootstrap/v1', source: source.name, ...report }));
  else if (args.output === 'github')
    for (const problem of report.problems) env.stdout.write(githubAnnotation(source.name, problem));
  else {
    const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
    env.stdout.write(bootstrapText(source.name, bytes, report, { excerpts: env.stdout.isTerminal, paint }));
  }
  if (report.verdict === 'rejected') return EXIT.badInput;
  const threshold = SEVERITIES.indexOf(args.failureThreshold as string);
  return report.problems.some((p) => SEVERITIES.indexOf(p.severity) <= threshold) ? EXIT.findings : EXIT.ok;
}

function judge(bytes: Uint8Array, typed: string | undefined, args: Arguments, env: CliEnvironment): BootstrapReport {
  const switches = readSwitches(env.variables, args.as as Preset);
  const now = env.clock.now();
  return judgeBootstrap(bytes, {
    switches,
    // What the environment says about sources matters only where it was asked.
    variables: typed === undefined ? env.variables : {},
    inspectFile: (path) => inspectCertificateFile(path, now),
  });
}

function unreadable(error: string, explanation: string): BootstrapReport {
  const problem: BootstrapProblem = {
    code: 'XI001',
    severity: 'error',
    path: '',
    message: explanation,
    line: 1,
    column: 1,
  };
  return { verdict: 'rejected', error, problems: [problem] };
}

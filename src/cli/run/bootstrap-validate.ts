import { isAtLeast, type Severity } from '../../base/finding.js';
import { type BootstrapReport, judgeBootstrap, unreadableBootstrap } from '../../bootstrap/report.js';
import { type Preset, readSwitches } from '../../bootstrap/switches.js';
import { unlessSuppressed } from '../../findings/suppress.js';
import { inspectCertificateFile } from '../../io/certificate-file.js';
import { bootstrapDocument } from '../../view/bootstrap.js';
import { githubAnnotations } from '../../view/render/annotation.js';
import { bootstrapText } from '../../view/render/bootstrap.js';
import { jsonText } from '../../view/render/json.js';
import { paintFor } from '../../view/render/paint.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { findBootstrap } from './bootstrap-source.js';
import { readSuppressed } from './suppressed.js';

/** `bootstrap validate`: the verdict is data, so it goes to stdout in every format. */
export async function bootstrapValidate(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const suppressed = readSuppressed(args);
  const typed = (args.file ?? args.bootstrap) as string | undefined;
  const source = await findBootstrap(typed, env);
  const bytes = source.kind === 'text' ? source.bytes : new Uint8Array(0);
  const now = env.clock.now();
  const judged: BootstrapReport =
    source.kind === 'text'
      ? judgeBootstrap(source.name, bytes, {
          switches: readSwitches(env.variables, args.as as Preset),
          // Problems of the environment matter only if the bootstrap comes from there.
          variables: typed === undefined ? env.variables : {},
          inspectFile: (path) => inspectCertificateFile(path, now),
        })
      : unreadableBootstrap(source.name, source.error, source.explanation);
  const report = { ...judged, problems: judged.problems.filter(unlessSuppressed(suppressed)) };
  if (args.output === 'json') env.stdout.write(jsonText(bootstrapDocument(report)));
  else if (args.output === 'github') env.stdout.write(githubAnnotations(report.problems));
  else {
    const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
    env.stdout.write(bootstrapText(bytes, report, { excerpts: env.stdout.isTerminal, paint }));
  }
  if (report.verdict === 'rejected') return EXIT.badInput;
  return report.problems.some(isAtLeast(args.failureThreshold as Severity)) ? EXIT.findings : EXIT.ok;
}

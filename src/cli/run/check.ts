import { hasLostAuthority } from '../../engine/lost.js';
import { evaluate } from '../../inspect/expect/evaluate.js';
import type { Observation } from '../../inspect/expect/observation.js';
import { type CheckReport, checkDocument, type Evaluated, failedOf } from '../../inspect/expect/report.js';
import { checkAnnotations, checkJunit, checkTap, checkText } from '../../view/render/check.js';
import { jsonText } from '../../view/render/json.js';
import { paintFor } from '../../view/render/paint.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { readCheckFile } from './check-file.js';
import { seeLive } from './check-live.js';
import { seeRecorded } from './check-replay.js';
import type { Seen } from './check-watch.js';
import type { Ending } from './settling.js';

/** `check`: what was seen is evaluated and reported however it ends. */
export async function check(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  if (args.init !== undefined) return (await import('./check-init.js')).checkInit(args, env);
  if (args.file !== undefined) throw new Failure(EXIT.usage, '--file goes with --init');
  const path = args.expectations as string | undefined;
  if (path === undefined) throw new Failure(EXIT.usage, 'which expectations? xds-inspect check expectations.yaml');
  const file = await readCheckFile(path, args, env);
  const see = args.recording === undefined ? seeLive : seeRecorded;
  const { observed, end, drilled, unseen, remark } = await see(file, path, args, env);
  const evaluated = new Map(observed.map((seen) => [seen.check, judgeAll(seen)]));
  const isLost = observed.some((seen) => isUnreachable(seen.observation, evaluated.get(seen.check) ?? []));
  const all = file.targets.flatMap((target) => [
    ...(evaluated.get(target) ?? target.expectations.map((one) => unjudged(one, target.target, unseen))),
    ...(drilled.get(target) ?? []),
  ]);
  const report = { file: path, evaluated: all, remark };
  await printReport(report, args, env);
  return exitCode(report, end, isLost);
}

function judgeAll({ check: { target, expectations }, observation }: Seen['observed'][number]): Evaluated[] {
  return expectations.map((expectation) => {
    const { name, at } = expectation;
    return { name, target, at, ...evaluate(expectation, observation) };
  });
}

/** Nobody can say that it holds. */
export function unjudged({ name, at }: Pick<Evaluated, 'name' | 'at'>, target: string, actual: string): Evaluated {
  return { name, target, at, ok: false, expected: name, actual };
}

/** Nobody answered for it; or nobody does any more, and something that was expected is not so. */
function isUnreachable({ scope }: Observation, evaluated: readonly Evaluated[]): boolean {
  if (!hasLostAuthority(scope)) return false;
  return evaluated.some(({ ok }) => !ok) || scope.entries.every(({ status }) => status === 'REQUESTED');
}

export async function printReport(report: CheckReport, args: Arguments, env: CliEnvironment): Promise<void> {
  const { stdout } = env;
  if (args.output === 'json') stdout.write(jsonText(checkDocument(report)));
  else if (args.output === 'junit') stdout.write(checkJunit(report));
  else if (args.output === 'github') stdout.write(checkAnnotations(report));
  else if (args.output === 'tap') stdout.write(checkTap(report));
  else {
    const paint = await paintFor(useColor(args.color as ColorChoice, env, stdout));
    stdout.write(checkText(report, args.verbose === true, paint));
  }
}

function exitCode(report: CheckReport, end: Ending, isLost: boolean): ExitCode {
  if (end === 'interrupted') return EXIT.interrupted;
  if (isLost) return EXIT.unavailable;
  if (end === 'timed out') return EXIT.timedOut;
  return failedOf(report).length > 0 ? EXIT.findings : EXIT.ok;
}

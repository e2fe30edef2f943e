import type { ExitCode } from '../../base/exit-codes.js';
import { Misuse } from '../../base/failure.js';
import { hasLostAuthority } from '../../engine/lost.js';
import { evaluate } from '../../inspect/expect/evaluate.js';
import type { CheckFile, TargetCheck } from '../../inspect/expect/expectations.js';
import type { Observation } from '../../inspect/expect/observation.js';
import { type Evaluated, failedOf } from '../../inspect/expect/report.js';
import type { ObservedTarget } from '../../inspect/expect/target-watch.js';
import { exitCode } from '../../inspect/outcome.js';
import type { Ending } from '../../inspect/until.js';
import type { CheckInput } from '../commands/check.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { readCheckFile } from './check-file.js';
import { seeLive } from './check-live.js';

/** What there is to evaluate. */
export interface Seen {
  observed: ObservedTarget[];
  ending: Ending;
  /** What came of drills, by target. */
  drilled: ReadonlyMap<TargetCheck, Evaluated[]>;
  /** Why there is nothing to evaluate the other targets by. */
  unseen: string;
  remark: string;
}

/** `check`: what was seen is evaluated and reported however it ends. */
export async function check(input: CheckInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const { expectations: path } = input;
  if (input.init.length > 0) return (await import('./check-init.js')).checkInit(input, out, env);
  if (input.file !== undefined) throw new Misuse('--file requires --init');
  if (path === undefined) throw new Misuse('which expectations? xds-inspect check expectations.yaml');
  const file = await readCheckFile(path, input.output, out, env);
  return await reportCheck(file, path, await seeLive(file, path, input, out, env), input.output, out);
}

export async function reportCheck(
  file: CheckFile,
  path: string,
  { observed, ending, drilled, unseen, remark }: Seen,
  output: CheckInput['output'],
  out: Printer,
): Promise<ExitCode> {
  const evaluated = new Map(observed.map((seen) => [seen.check, evaluateAll(seen)]));
  const all = file.targets.flatMap((target) => [
    ...(evaluated.get(target) ?? target.expectations.map((one) => notSeen(one, target.target, unseen))),
    ...(drilled.get(target) ?? []),
  ]);
  const report = { file: path, evaluated: all, remark };
  await out.print('check', output, report);
  return exitCode({
    isInterrupted: ending === 'interrupted',
    isLost: observed.some((seen) => isUnreachable(seen.observation, evaluated.get(seen.check) ?? [])),
    isTimedOut: ending === 'timed out',
    hasFindings: failedOf(report).length > 0,
  });
}

function evaluateAll({ check: { target, expectations }, observation }: ObservedTarget): Evaluated[] {
  return expectations.map((expectation) => {
    const { name, at } = expectation;
    return { name, target, at, ...evaluate(expectation, observation) };
  });
}

/** Nothing was seen that could meet it. */
export function notSeen({ name, at }: Pick<Evaluated, 'name' | 'at'>, target: string, actual: string): Evaluated {
  return { name, target, at, ok: false, expected: name, actual };
}

/** No server answered for it; or none does any more, and an expectation failed. */
function isUnreachable({ scope }: Observation, evaluated: readonly Evaluated[]): boolean {
  if (!hasLostAuthority(scope)) return false;
  return evaluated.some(({ ok }) => !ok) || scope.entries.every(({ status }) => status === 'REQUESTED');
}

import { scopeMeaning } from '../../csds/scope-meaning.js';
import { evaluate } from '../../inspect/expect/evaluate.js';
import type { Expectation, TargetCheck } from '../../inspect/expect/expectations.js';
import { momentOf } from '../../inspect/expect/observation.js';
import { type Evaluated, failedOf } from '../../inspect/expect/report.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { printReport, unjudged } from './check.js';
import { readCheckFile } from './check-file.js';
import type { RemoteAnswer } from './csds-source.js';

/** What happens over time, or on the wire, is not in CSDS. */
const UNTOLD: ReadonlySet<Expectation['kind']> = new Set(['settled', 'tears', 'never', 'findings']);

/** `--view check`: every process has to be as the file expects a client of these targets to be. */
export async function printCheck(
  answers: readonly RemoteAnswer[],
  args: Arguments,
  env: CliEnvironment,
): Promise<ExitCode> {
  const path = args.expectations as string;
  const { targets } = await readCheckFile(path, args, env);
  const alive = answers.filter(({ isDead }) => !isDead);
  const evaluated = alive.flatMap((answer) => targets.flatMap((check) => judgeTarget(check, answer, env)));
  const untold = targets.reduce((sum, one) => sum + untoldIn(one), 0);
  const remark =
    untold === 0 ? '' : `not judged, since CSDS does not tell: ${untold} expectations about time or the wire`;
  const report = { file: path, evaluated, remark };
  await printReport(report, args, env);
  return failedOf(report).length > 0 || evaluated.length === 0 ? EXIT.findings : EXIT.ok;
}

function untoldIn({ expectations, drill }: TargetCheck): number {
  return expectations.filter(({ kind }) => UNTOLD.has(kind)).length + (drill === undefined ? 0 : 1);
}

function judgeTarget(check: TargetCheck, { address, clients }: RemoteAnswer, env: CliEnvironment): Evaluated[] {
  const target = `${address} / ${check.target}`;
  const told = check.expectations.filter(({ kind }) => !UNTOLD.has(kind));
  const found = clients.flatMap((client) => {
    const channel = client.snapshot.channels.find((one) => one.target === meant(check.target));
    return channel === undefined ? [] : [{ client, channel }];
  });
  if (found.length === 0) {
    const actual = 'no client of this process has it, or what it has is not told';
    return told.map((one) => unjudged(one, target, actual));
  }
  return found.flatMap(({ client: { snapshot, judged }, channel }) => {
    const observation = momentOf(snapshot, channel, judged.dump.node?.id, env.clock.now());
    return told.map((expectation) => {
      const { name, at } = expectation;
      return { name, target, at, ...evaluate(expectation, observation) };
    });
  });
}

/** D17: any spelling of a target. */
function meant(target: string): string {
  if (target.startsWith('#server:')) return target;
  return scopeMeaning(/^xds:/i.test(target) ? target : `xds:///${target}`).scope;
}

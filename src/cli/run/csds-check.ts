import { serverAddress } from '../../bootstrap/target.js';
import { scopeMeaning } from '../../csds/scope-meaning.js';
import type { Expectation, TargetCheck } from '../../inspect/expect/expectations.js';
import { judge } from '../../inspect/expect/judge.js';
import { failedOf, type Judged } from '../../inspect/expect/report.js';
import { StatesSeen } from '../../inspect/expect/states-seen.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { printReport, unjudged } from './check.js';
import { readCheckFile } from './check-file.js';
import type { RemoteAnswer, RemoteClient } from './csds-source.js';

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
  const judged = alive.flatMap((answer) => targets.flatMap((check) => judgeTarget(check, answer, env)));
  const untold = targets.reduce((sum, one) => sum + untoldIn(one), 0);
  const remark =
    untold === 0 ? '' : `not judged, since CSDS does not tell: ${untold} expectations about time or the wire`;
  const report = { file: path, judged, remark };
  await printReport(report, args, env);
  return failedOf(report).length > 0 || judged.length === 0 ? EXIT.findings : EXIT.ok;
}

function untoldIn({ expectations, drill }: TargetCheck): number {
  return expectations.filter(({ kind }) => UNTOLD.has(kind)).length + (drill === undefined ? 0 : 1);
}

function judgeTarget(check: TargetCheck, { address, clients }: RemoteAnswer, env: CliEnvironment): Judged[] {
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
  return found.flatMap(({ client, channel }) =>
    told.map((expectation) => {
      const { name, at } = expectation;
      return { name, target, at, ...judge(expectation, observation(client, channel, env)) };
    }),
  );
}

/** D17: any spelling of a target. */
function meant(target: string): string {
  if (serverAddress(target) !== undefined) return target;
  return scopeMeaning(/^xds:/i.test(target) ? target : `xds:///${target}`).scope;
}

function observation(
  { judged, snapshot }: RemoteClient,
  channel: RemoteClient['snapshot']['channels'][number],
  env: CliEnvironment,
): Parameters<typeof judge>[1] {
  return {
    scope: snapshot,
    channel,
    nodeId: judged.dump.node?.id,
    states: new StatesSeen(),
    findings: [],
    settledAfter: undefined,
    observed: 0,
    now: env.clock.now(),
  };
}

import { countText } from '../../base/count-text.js';
import { UNKNOWN_CODE } from '../../base/status.js';
import { serverAddress } from '../../bootstrap/target.js';
import { scopeKind } from '../../csds/scope-kind.js';
import type { RemoteAnswer } from '../remote-answer.js';
import { unknownVerdict } from '../verdict/verdict.js';
import { evaluate } from './evaluate.js';
import type { CheckFile, Expectation, TargetCheck } from './expectations.js';
import { entryOf, momentOf, type Observation } from './observation.js';
import { type CheckReport, evaluateTarget, notObserved, type TargetReport } from './report.js';

/** CSDS does not show history or the wire. */
const NOT_IN_CSDS: ReadonlySet<Expectation['kind']> = new Set(['settled', 'tears', 'never', 'findings']);

/** Evaluates the expectations for every process. */
export function evaluateAnswers(
  { targets }: CheckFile,
  answers: readonly RemoteAnswer[],
  now: number,
): Omit<CheckReport, 'file'> {
  const alive = answers.filter(({ isDead }) => !isDead);
  const history = targets.reduce((sum, target) => sum + countNotInCsds(target), 0);
  const codes = new Set<Expectation>();
  const reports = alive.flatMap((answer) => targets.flatMap((target) => evaluateRemote(target, answer, now, codes)));
  return { targets: reports, remark: remarkOn(history, codes.size) };
}

/** Says which expectations CSDS data cannot evaluate; empty if there are none. */
function remarkOn(history: number, codes: number): string {
  const parts = [
    ...(history === 0 ? [] : [`${countText(history, 'expectation')} about time or the wire`]),
    ...(codes === 0 ? [] : [`${countText(codes, 'expectation')} about an error code`]),
  ];
  return parts.length === 0 ? '' : `not evaluated, since CSDS does not show it: ${parts.join(', ')}`;
}

/** The number of expectations of a target that CSDS data cannot evaluate. */
function countNotInCsds({ expectations, drill }: TargetCheck): number {
  return expectations.filter(({ kind }) => NOT_IN_CSDS.has(kind)).length + (drill === undefined ? 0 : 1);
}

/**
 * Evaluates the expectations that CSDS data can evaluate, for every client of a process that has the target. Adds those
 * that depend on an error code that CSDS does not show to `codes`.
 */
function evaluateRemote(
  check: TargetCheck,
  { address, clients }: RemoteAnswer,
  now: number,
  codes: Set<Expectation>,
): TargetReport[] {
  const target = `${address} / ${check.target}`;
  const shown = check.expectations.filter(({ kind }) => !NOT_IN_CSDS.has(kind));
  const found = clients.flatMap((client) => {
    const channel = client.snapshot.channels.find((one) => one.target === scopeOf(check.target));
    return channel === undefined ? [] : [{ ...client, channel }];
  });
  if (found.length === 0) {
    const actual = 'no client of this process has this target, or CSDS does not show it';
    return [notObserved(target, shown, actual)];
  }
  return found.map(({ validated, snapshot: scope, verdicts, channel }) => {
    const nodeId = validated.dump.node?.id;
    const verdict = verdicts.find((one) => one.target === channel.target) ?? unknownVerdict(channel.target);
    const moment = momentOf({ scope, channel, nodeId }, verdict, now);
    const unknown = shown.filter((expectation) => dependsOnUnknownCode(expectation, moment));
    for (const expectation of unknown) codes.add(expectation);
    return evaluateTarget(
      target,
      shown.filter((expectation) => !unknown.includes(expectation)),
      moment,
    );
  });
}

/** R8.5: whether only the code of an error decides, and CSDS does not show it. */
function dependsOnUnknownCode(expectation: Expectation, observation: Observation): boolean {
  if (expectation.kind !== 'error' || expectation.code === undefined) return false;
  const code = entryOf(observation, expectation.resource)?.error?.status.code;
  return code === UNKNOWN_CODE && evaluate({ ...expectation, code: undefined }, observation).ok;
}

/** The client_scope of a target in any spelling (D17). */
function scopeOf(target: string): string {
  if (serverAddress(target) !== undefined) return target;
  return scopeKind(/^xds:/i.test(target) ? target : `xds:///${target}`).scope;
}

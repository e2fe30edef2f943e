import type { LocatedProblem } from '../../base/document.js';
import { formatMillis } from '../../base/duration.js';
import { hasLostAuthority } from '../../engine/lost-servers.js';
import type { ClientInspection } from '../inspection.js';
import type { Outcome } from '../outcome.js';
import { recordedSetup } from '../recorded.js';
import { defaultTimeLimit } from '../settled.js';
import type { LiveSource, RecordingSource } from '../source.js';
import { checkedTargets } from './check-clients.js';
import { evaluate } from './evaluate.js';
import type { CheckFile, TargetCheck } from './expectations.js';
import { isAboutVerdict } from './expected-failure.js';
import { type ObservedTargets, observeRecording } from './observe-targets.js';
import { isDrillable } from './readiness.js';
import {
  type CheckReport,
  type EvaluatedExpectation,
  evaluatedIn,
  evaluateTarget,
  isFailed,
  notObserved,
  type TargetReport,
} from './report.js';
import { type DrilledClients, type DrillResult, notDrilled } from './run-drills.js';
import { type CheckedTarget, type ObservedTarget, TargetWatch } from './target-watch.js';

/** What there is to evaluate. */
export interface CheckRun extends ObservedTargets {
  /** What came of drills, by target. */
  drilled: ReadonlyMap<TargetCheck, EvaluatedExpectation[]>;
  /** Why there is nothing to evaluate the other targets by. */
  notObservedReason: string;
  remark: string;
}

/** A client of a check, and how it connects. */
export interface CheckClient {
  watch: TargetWatch;
  source: LiveSource;
}

/** How long clients may take to settle, and for how long they are observed after that. */
export function checkLimits(
  { targets, timeout }: CheckFile,
  clients: readonly CheckClient[],
  typed: number | undefined,
): { limit: number; observeMs: number } {
  const limits = clients.map(({ watch: { inspection } }) => typed ?? timeout ?? defaultTimeLimit(inspection));
  return { limit: Math.max(0, ...limits), observeMs: Math.max(0, ...targets.map(({ observe }) => observe)) };
}

/** The targets to drill: those of which at least a part of the RPCs work to begin with. */
export function drillsOf(clients: readonly CheckClient[], { ending, targets }: ObservedTargets): DrilledClients[] {
  if (ending === 'interrupted') return [];
  const ready = targets.flatMap(({ check, observation: { verdict } }) => (isDrillable(verdict.verdict) ? [check] : []));
  return clients.flatMap(({ watch, source }) =>
    watch.targets.flatMap(({ check, follow }): DrilledClients[] =>
      check.drill !== undefined && ready.includes(check) ? [{ check, source: { ...source, inputs: [follow] } }] : [],
    ),
  );
}

export function liveRun(file: CheckFile, observed: ObservedTargets, drills: DrillResult, limit: number): CheckRun {
  const { ending, targets } = observed;
  const drilled = new Map(
    file.targets.flatMap((check): [TargetCheck, EvaluatedExpectation[]][] =>
      check.drill === undefined ? [] : [[check, drills.evaluated.get(check) ?? drillNotRun(check, observed)]],
    ),
  );
  const isInterrupted = ending === 'interrupted' || drills.ending === 'interrupted';
  const late = ending === 'timed out' ? `not settled after ${formatMillis(limit)}: judged by what was seen so far` : '';
  return {
    targets,
    ending: isInterrupted ? 'interrupted' : ending,
    drilled,
    notObservedReason: 'nothing was seen of it',
    remark: isInterrupted ? 'interrupted: judged by what was seen so far' : late,
  };
}

function drillNotRun(check: TargetCheck, { ending, targets }: ObservedTargets): EvaluatedExpectation[] {
  if (ending === 'interrupted') return notDrilled(check, 'interrupted');
  const observation = targets.find((one) => one.check === check)?.observation;
  const { verdict = 'unknown' } = observation?.verdict ?? {};
  const reported = check.expectations.find(
    (one) => observation !== undefined && isAboutVerdict(one) && !evaluate(one, observation).ok,
  );
  return notDrilled(check, `the verdict is ${verdict} to begin with`, reported?.name);
}

/** The targets of a file by the bootstrap of a recording; pushes what is wrong with them. */
export function recordedTargets(
  file: CheckFile,
  { header }: RecordingSource,
  problems: LocatedProblem[],
): CheckedTarget[] {
  const setup = recordedSetup(header);
  const nodeId = setup.bootstrap.node?.id;
  const all = checkedTargets(file.targets, setup, undefined, problems);
  // Targets of another node are another client's.
  return all.filter(({ check }) => (check.nodeId ?? nodeId) === nodeId);
}

/** Observes a recording. What the file says about connecting does not count. */
export async function recordedRun(
  file: CheckFile,
  checked: readonly CheckedTarget[],
  inspection: ClientInspection,
): Promise<CheckRun> {
  const { ending, targets } = await observeRecording(new TargetWatch(checked, inspection));
  const drills = file.targets.filter(({ drill }) => drill !== undefined).length;
  const remarks = [
    ...(ending === 'met' ? [] : ['not settled by then: judged by what was seen so far']),
    ...(drills === 0
      ? []
      : [`not judged, since a recording cannot be drilled: ${drills} fallback drill${drills === 1 ? '' : 's'}`]),
  ];
  const notObservedReason = 'the recording does not follow this target';
  return { targets, ending, drilled: new Map(), notObservedReason, remark: remarks.join('; ') };
}

/** Evaluates every expectation of a file. */
export function checkReport(
  file: CheckFile,
  path: string,
  { targets, ending, drilled, notObservedReason, remark }: CheckRun,
): { report: CheckReport; outcome: Outcome } {
  const evaluatedTargets = new Map(
    targets.map(({ check, observation }) => [check, evaluateTarget(check.target, check.expectations, observation)]),
  );
  const reports = file.targets.map((check) =>
    withDrill(
      evaluatedTargets.get(check) ?? notObserved(check.target, check.expectations, notObservedReason),
      drilled.get(check) ?? [],
    ),
  );
  const report = { file: path, targets: reports, remark };
  const outcome = {
    isInterrupted: ending === 'interrupted',
    isLost: targets.some((one) => isUnreachable(one, evaluatedTargets.get(one.check)?.evaluated ?? [])),
    isTimedOut: ending === 'timed out',
    hasFindings: evaluatedIn(report).some(isFailed),
  };
  return { report, outcome };
}

function withDrill(report: TargetReport, drilled: readonly EvaluatedExpectation[]): TargetReport {
  const took = drilled.reduce((sum, { after }) => sum + after, report.took);
  return { ...report, took, evaluated: [...report.evaluated, ...drilled] };
}

/** No server answered for it; or none does any more, and an expectation failed. */
function isUnreachable(
  { observation: { scope } }: ObservedTarget,
  evaluated: readonly EvaluatedExpectation[],
): boolean {
  if (!hasLostAuthority(scope)) return false;
  return evaluated.some(({ ok }) => !ok) || scope.entries.every(({ status }) => status === 'REQUESTED');
}

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

/** The observations and drill results of a check. */
export interface CheckRun extends ObservedTargets {
  /** The results of drills, by target. */
  drilled: ReadonlyMap<TargetCheck, EvaluatedExpectation[]>;
  /** Why the other targets have no observation. */
  notObservedReason: string;
  remark: string;
}

/** A client of a check, and how it connects. */
export interface CheckClient {
  watch: TargetWatch;
  source: LiveSource;
}

/** The time limit for clients to settle, and the observation time after that. */
export function checkLimits(
  { targets, timeout }: CheckFile,
  clients: readonly CheckClient[],
  typed: number | undefined,
): { limit: number; observeMs: number } {
  const limits = clients.map(({ watch: { inspection } }) => typed ?? timeout ?? defaultTimeLimit(inspection));
  return { limit: Math.max(0, ...limits), observeMs: Math.max(0, ...targets.map(({ observe }) => observe)) };
}

/** The targets to drill: those for which at least some RPCs work before the drill. */
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
  const late = ending === 'timed out' ? `not settled after ${formatMillis(limit)}: evaluated with the data so far` : '';
  return {
    targets,
    ending: isInterrupted ? 'interrupted' : ending,
    drilled,
    notObservedReason: 'this target was not observed',
    remark: isInterrupted ? 'interrupted: evaluated with the data so far' : late,
  };
}

function drillNotRun(check: TargetCheck, { ending, targets }: ObservedTargets): EvaluatedExpectation[] {
  if (ending === 'interrupted') return notDrilled(check, 'interrupted');
  const observation = targets.find((one) => one.check === check)?.observation;
  const { verdict = 'unknown' } = observation?.verdict ?? {};
  const reported = check.expectations.find(
    (one) => observation !== undefined && isAboutVerdict(one) && !evaluate(one, observation).ok,
  );
  return notDrilled(check, `the verdict before the drill is ${verdict}`, reported?.name);
}

/** Resolves the targets of a file with the bootstrap of a recording. Adds errors to `problems`. */
export function recordedTargets(
  file: CheckFile,
  { header }: RecordingSource,
  problems: LocatedProblem[],
): CheckedTarget[] {
  const setup = recordedSetup(header);
  const nodeId = setup.bootstrap.node?.id;
  const all = checkedTargets(file.targets, setup, undefined, problems);
  // Targets of another node belong to another client.
  return all.filter(({ check }) => (check.nodeId ?? nodeId) === nodeId);
}

/** Observes a recording. Ignores the connection settings of the file. */
export async function recordedRun(
  file: CheckFile,
  checked: readonly CheckedTarget[],
  inspection: ClientInspection,
): Promise<CheckRun> {
  const { ending, targets } = await observeRecording(new TargetWatch(checked, inspection));
  const drills = file.targets.filter(({ drill }) => drill !== undefined).length;
  const remarks = [
    ...(ending === 'met' ? [] : ['not settled at the end of the recording: evaluated with the data so far']),
    ...(drills === 0
      ? []
      : [`not evaluated, since a recording cannot be drilled: ${drills} fallback drill${drills === 1 ? '' : 's'}`]),
  ];
  const notObservedReason = 'the recording does not contain this target';
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

/** Whether the servers of a target failed before any response, or failed later and an expectation does not hold. */
function isUnreachable(
  { observation: { scope } }: ObservedTarget,
  evaluated: readonly EvaluatedExpectation[],
): boolean {
  if (!hasLostAuthority(scope)) return false;
  return evaluated.some(({ ok }) => !ok) || scope.entries.every(({ status }) => status === 'REQUESTED');
}

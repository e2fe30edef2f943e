import { BlockingTransport } from '../../engine/blocking-transport.js';
import type { Clock } from '../../engine/ports.js';
import { EventFeed, type EventListener } from '../event-feed.js';
import type { ClientInspection } from '../inspection.js';
import { openLive } from '../live.js';
import type { LiveSource } from '../source.js';
import { type ConditionState, type WaitEnding, type WaitOptions, waitOnClock } from '../until.js';
import { allOf } from '../until-all.js';
import { DRILL_STAGES, Drill, type StageResult } from './drill.js';
import type { TargetCheck } from './expectations.js';
import type { EvaluatedExpectation } from './report.js';

/** A target with a fallback drill, and how its clients connect. */
export interface DrilledClients {
  check: TargetCheck;
  source: LiveSource;
}

/** The results of drills, by target. */
export interface DrillResult {
  ending: WaitEnding;
  evaluated: Map<TargetCheck, EvaluatedExpectation[]>;
}

/** A drill over real connections. It has its own clients, so it does not affect the other inspections. */
class LiveDrill {
  readonly check: TargetCheck;
  readonly inspections: ClientInspection[] = [];
  readonly #drill: Drill;

  constructor({ check, source }: DrilledClients, changes: EventFeed) {
    this.check = check;
    const blocking = new BlockingTransport(source.ports.transport);
    const ports = { ...source.ports, transport: blocking };
    this.#drill = new Drill(
      check.drill as NonNullable<TargetCheck['drill']>,
      {
        block: (uri) => blocking.block(uri),
        unblock: (uri) => blocking.unblock(uri),
        startClient: () => {
          const inspection = openLive({ ...source, ports, recorder: undefined }, {});
          inspection.events.subscribe((event, isRepeated) => changes.publish(event, isRepeated));
          this.inspections.push(inspection);
          inspection.start();
          return { snapshot: () => inspection.snapshot()[0], verdict: () => inspection.verdict()[0] };
        },
      },
      source.ports.clock.now(),
    );
  }

  advance(now: number): ConditionState {
    const isMet = this.#drill.step(now);
    const { deadline } = this.#drill;
    return { isMet, nextCheck: isMet || deadline <= now ? undefined : deadline };
  }

  evaluated(isInterrupted: boolean): EvaluatedExpectation[] {
    const { evaluations } = this.#drill;
    if (isInterrupted) return stagesOf(this.check, evaluations, 'interrupted before the end', undefined);
    const failed = DRILL_STAGES[evaluations.findIndex(({ ok }) => !ok)];
    const dependsOn = failed && stageName(failed);
    return stagesOf(this.check, evaluations, 'not run: an earlier stage failed', dependsOn);
  }
}

/** Results of all stages. A stage that was not run depends on the failure that prevented it. */
function stagesOf(
  { drill }: TargetCheck,
  done: readonly StageResult[],
  missing: string,
  dependsOn: string | undefined,
): EvaluatedExpectation[] {
  const at = drill?.at ?? { line: 1, column: 1 };
  return DRILL_STAGES.map((stage, i): EvaluatedExpectation => {
    const name = stageName(stage);
    const notRun = { ok: false, expected: stage, actual: missing, after: 0, dependsOn };
    return { name, at, ...(done[i] ?? notRun) };
  });
}

function stageName(stage: string): string {
  return `fallback drill: ${stage}`;
}

/** Results for a target whose drill could not start. */
export function notDrilled(check: TargetCheck, why: string, dependsOn?: string): EvaluatedExpectation[] {
  return stagesOf(check, [], `not run: ${why}`, dependsOn);
}

/** The time limit of all drills. */
export function drillLimit(drilled: readonly DrilledClients[]): number {
  const limits = drilled.map(({ check: { drill } }) => 2 * (drill?.readyWithin ?? 0) + (drill?.backWithin ?? 0));
  return Math.max(0, ...limits);
}

/** Runs all drills in parallel. Each one ends by its own limits. */
export async function runDrills(
  drilled: readonly DrilledClients[],
  clock: Clock,
  wait: Omit<WaitOptions, 'limit'>,
  onEvent: EventListener | undefined,
): Promise<DrillResult> {
  if (drilled.length === 0) return { ending: 'met', evaluated: new Map() };
  const changes = new EventFeed();
  if (onEvent !== undefined) changes.subscribe(onEvent);
  const drills = drilled.map((one) => new LiveDrill(one, changes));
  const ending = await waitOnClock(
    clock,
    (changed) => changes.subscribe(changed),
    allOf(drills.map((drill) => (now) => drill.advance(now))),
    { ...wait, limit: Number.POSITIVE_INFINITY },
  );
  for (const { inspections } of drills) for (const inspection of inspections) inspection.close();
  const evaluated = new Map(drills.map((drill) => [drill.check, drill.evaluated(ending === 'interrupted')]));
  return { ending, evaluated };
}

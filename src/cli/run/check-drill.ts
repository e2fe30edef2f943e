import { BlockingTransport } from '../../engine/blocking-transport.js';
import { DRILL_STAGES, Drill } from '../../inspect/expect/drill.js';
import type { TargetCheck } from '../../inspect/expect/expectations.js';
import type { Evaluated } from '../../inspect/expect/report.js';
import { visibleShort } from '../../view/visible-text.js';
import type { CliEnvironment } from '../environment.js';
import type { Group } from './check-groups.js';
import { type Inspection, start } from './inspection.js';
import { Progress } from './progress.js';
import { type Ending, waitFor } from './settling.js';

/** A drill over real connections: clients of its own, so that what else is watched does not notice. */
class LiveDrill {
  readonly check: TargetCheck;
  readonly inspections: Inspection[] = [];
  readonly #drill: Drill;

  constructor({ args, prepared }: Group, target: Group['targets'][number], env: CliEnvironment) {
    this.check = target.check;
    let blocking: BlockingTransport | undefined;
    const one = { ...prepared, targets: [target.follow], recorder: undefined };
    this.#drill = new Drill(
      target.check.drill as NonNullable<TargetCheck['drill']>,
      {
        block: (uri) => blocking?.block(uri),
        unblock: (uri) => blocking?.unblock(uri),
        startClient: () => {
          const inspection = start(
            one,
            args,
            env,
            () => {},
            (transport) => {
              blocking ??= new BlockingTransport(transport);
              return blocking;
            },
          );
          this.inspections.push(inspection);
          return { snapshot: () => inspection.snapshot()[0] };
        },
      },
      env.clock.now(),
    );
  }

  step(now: number): boolean {
    return this.#drill.step(now);
  }

  evaluated(isInterrupted: boolean): Evaluated[] {
    const missing = isInterrupted ? 'interrupted before it was over' : 'not tried: the drill failed before';
    return DRILL_STAGES.map((stage, i) => ({
      ...drillExpectation(this.check, stage),
      ...(this.#drill.evaluations[i] ?? { ok: false, expected: stage, actual: missing }),
    }));
  }
}

function drillExpectation({ target, drill }: TargetCheck, stage: string): Pick<Evaluated, 'name' | 'target' | 'at'> {
  return { name: `fallback drill: ${stage}`, target, at: drill?.at ?? { line: 1, column: 1 } };
}

/** For a target that could not be drilled. */
export function undrilled(check: TargetCheck, why: string): Evaluated[] {
  return DRILL_STAGES.map((stage) => ({
    ...drillExpectation(check, stage),
    ok: false,
    expected: stage,
    actual: `not tried: ${why}`,
  }));
}

/** All drills at once. */
export async function runDrills(
  drilled: readonly { group: Group; target: Group['targets'][number] }[],
  env: CliEnvironment,
): Promise<{ end: Ending; evaluated: Map<TargetCheck, Evaluated[]> }> {
  const drills = drilled.map(({ group, target }) => new LiveDrill(group, target, env));
  const limits = drills.map(({ check: { drill } }) => 2 * (drill?.readyWithin ?? 0) + (drill?.backWithin ?? 0));
  const limit = Math.max(0, ...limits);
  const progress = new Progress(drilled[0]?.group.args ?? {}, env, limit);
  const step = (): boolean => drills.map((drill) => drill.step(env.clock.now())).every((isOver) => isOver);
  const what = `fallback drill of ${drills.map(({ check }) => visibleShort(check.target)).join(', ')}`;
  // Each drill ends by its own limits.
  const end = await waitFor(step, Number.POSITIVE_INFINITY, env, () => progress.say(what));
  progress.clear();
  for (const { inspections } of drills) for (const inspection of inspections) inspection.close();
  return { end, evaluated: new Map(drills.map((drill) => [drill.check, drill.evaluated(end === 'interrupted')])) };
}

import { formatMillis } from '../../base/duration.js';
import type { EventListener } from '../../inspect/event-feed.js';
import type { CheckFile, TargetCheck } from '../../inspect/expect/expectations.js';
import { observeTargets } from '../../inspect/expect/observe-targets.js';
import { notReady } from '../../inspect/expect/readiness.js';
import type { Evaluated } from '../../inspect/expect/report.js';
import { type Drilled, drillLimit, notDrilled, runDrills } from '../../inspect/expect/run-drills.js';
import { type ObservedTarget, TargetWatch } from '../../inspect/expect/target-watch.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { defaultTimeLimit } from '../../inspect/settled.js';
import type { LiveSource } from '../../inspect/source.js';
import type { Ending } from '../../inspect/until.js';
import { serveState } from '../../io/serve-state.js';
import { visibleShort } from '../../view/visible-text.js';
import type { CheckInput } from '../commands/check.js';
import type { CliEnvironment } from '../environment.js';
import type { Printer } from '../printer.js';
import type { Seen } from './check.js';
import { badFile } from './check-file.js';
import { prepareGroups } from './check-groups.js';
import { startRecorders } from './check-recorders.js';
import { clientsOf, livePorts, openClient } from './connect.js';
import { Progress } from './progress.js';
import { wireOn } from './show.js';

interface LiveGroup {
  watch: TargetWatch;
  source: LiveSource;
}

/** Connects, and observes all targets of a file until there is enough to evaluate; then come the drills. */
export async function seeLive(
  file: CheckFile,
  path: string,
  input: CheckInput,
  out: Printer,
  env: CliEnvironment,
): Promise<Seen> {
  const wire = input.verbose ? await wireOn(out) : undefined;
  const groups = await openGroups(file, path, input, out, env, wire);
  const inspections = groups.map(({ watch }) => watch.inspection);
  const closeAll = (): void => {
    for (const inspection of inspections) inspection.close();
  };
  const close = await serveState(() => inspections.flatMap(clientsOf), input, out, closeAll);
  const timeout = input.timeout ?? file.timeout;
  const limit = Math.max(0, ...inspections.map((inspection) => timeout ?? defaultTimeLimit(inspection)));
  const observeMs = Math.max(0, ...file.targets.map((target) => target.observe));
  const progress = new Progress(input, env, limit + observeMs);
  const tick = progress.isShown ? { everyMs: 250, run: () => progress.show(all(inspections)) } : undefined;
  const wait = { limit, onInterrupt: env.onInterrupt, tick };
  const { ending, targets } = await observeTargets(
    groups.map(({ watch }) => watch),
    observeMs,
    env.clock,
    wait,
  );
  progress.clear();
  close();
  const drills = await drill(file, groups, targets, ending, (drilled) => runWithProgress(drilled, input, env, wire));
  const isInterrupted = ending === 'interrupted' || drills.ending === 'interrupted';
  const late = ending === 'timed out' ? `not settled after ${formatMillis(limit)}: judged by what was seen so far` : '';
  return {
    observed: targets,
    ending: isInterrupted ? 'interrupted' : ending,
    drilled: drills.evaluated,
    unseen: 'nothing was seen of it',
    remark: isInterrupted ? 'interrupted: judged by what was seen so far' : late,
  };
}

async function openGroups(
  file: CheckFile,
  path: string,
  input: CheckInput,
  out: Printer,
  env: CliEnvironment,
  wire: EventListener | undefined,
): Promise<LiveGroup[]> {
  const problems: Parameters<typeof prepareGroups>[3] = [];
  const groups = await prepareGroups(file, path, input, problems, out, env);
  if (problems.length > 0) throw await badFile(path, problems, input.output, out);
  const recorders = await startRecorders(groups, input, out, env);
  return await Promise.all(
    groups.map(async ({ client, targets }, i) => {
      const inputs = targets.map(({ follow }) => follow);
      const inspection = await openClient(client, inputs, {}, env, recorders[i]);
      if (wire !== undefined) inspection.events.subscribe(wire);
      const ports = await livePorts(input.as, env);
      return { watch: new TargetWatch(targets, inspection), source: { kind: 'live', client, ports, inputs } };
    }),
  );
}

/** All clients as one, for the progress line. */
function all(inspections: readonly ClientInspection[]): Pick<ClientInspection, 'snapshot' | 'nextTimerEnd'> {
  return {
    snapshot: () => inspections.flatMap((inspection) => inspection.snapshot()),
    nextTimerEnd: (open) => {
      const ends = inspections.flatMap((inspection) => inspection.nextTimerEnd(open) ?? []);
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
  };
}

/** Drills the targets that are ready; the others say why there was none. */
async function drill(
  file: CheckFile,
  groups: readonly LiveGroup[],
  observed: readonly ObservedTarget[],
  ending: Ending,
  run: (drilled: readonly Drilled[]) => ReturnType<typeof runDrills>,
): Promise<{ ending: Ending; evaluated: Map<TargetCheck, Evaluated[]> }> {
  const ready = new Set(
    observed.flatMap(({ check, observation: { scope, channel } }) =>
      notReady('configured', scope, channel) === undefined ? [check] : [],
    ),
  );
  const drilled = groups.flatMap(({ watch, source }) =>
    watch.targets.flatMap(({ check, follow }): Drilled[] =>
      check.drill !== undefined && ready.has(check) ? [{ check, source: { ...source, inputs: [follow] } }] : [],
    ),
  );
  const isRun = ending !== 'interrupted' && drilled.length > 0;
  const drills = isRun ? await run(drilled) : { ending: 'met' as const, evaluated: new Map() };
  const why = ending === 'interrupted' ? 'interrupted' : 'the target is not ready to begin with';
  for (const check of file.targets)
    if (check.drill !== undefined && !drills.evaluated.has(check)) drills.evaluated.set(check, notDrilled(check, why));
  return drills;
}

async function runWithProgress(
  drilled: readonly Drilled[],
  input: CheckInput,
  env: CliEnvironment,
  wire: EventListener | undefined,
): ReturnType<typeof runDrills> {
  const progress = new Progress(input, env, drillLimit(drilled));
  const names = drilled.map(({ check }) => visibleShort(check.target)).join(', ');
  const tick = progress.isShown ? { everyMs: 250, run: () => progress.say(`fallback drill of ${names}`) } : undefined;
  try {
    return await runDrills(drilled, env.clock, { onInterrupt: env.onInterrupt, tick }, wire);
  } finally {
    progress.clear();
  }
}

import { formatMillis } from '../../base/duration.js';
import type { CheckFile } from '../../inspect/expect/expectations.js';
import { notReady } from '../../inspect/expect/readiness.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { runDrills, undrilled } from './check-drill.js';
import { badFile } from './check-file.js';
import { BadCheckFile, type Group, prepareGroups } from './check-groups.js';
import { withRecorders } from './check-recorders.js';
import { type Seen, TargetsWatch } from './check-watch.js';
import { clientsOf, type Inspection, start } from './inspection.js';
import { Progress } from './progress.js';
import { serveState } from './serve-state.js';
import { type Ending, timeLimit, waitFor } from './settling.js';

interface Watched {
  group: Group;
  watch: TargetsWatch;
}

/** Connects, and watches all targets of a file until there is enough to judge by; then come the drills. */
export async function seeLive(file: CheckFile, path: string, args: Arguments, env: CliEnvironment): Promise<Seen> {
  const groups = await withRecorders(await groupsOf(file, path, args, env), args, env);
  const watched = groups.map((group): Watched => {
    const watch = new TargetsWatch(group.targets, (onEvent) => start(group.prepared, group.args, env, onEvent), env);
    return { group, watch };
  });
  const inspections = watched.map((one) => one.watch.inspection);
  const close = await servingState(inspections, args, env);
  const end = await watch(watched, file, args, env);
  const observed = watched.flatMap((one) => one.watch.observations());
  close();
  const drills = await drill(file, watched, observed, end, env);
  return {
    observed,
    end: drills.end === 'interrupted' ? drills.end : end,
    drilled: drills.evaluated,
    unseen: 'nothing was seen of it',
    remark: remarkOn(end, drills.end, watched, file, args),
  };
}

async function groupsOf(file: CheckFile, path: string, args: Arguments, env: CliEnvironment): Promise<Group[]> {
  try {
    return await prepareGroups(file, path, args, env);
  } catch (error) {
    if (error instanceof BadCheckFile) throw badFile(path, error.problems, args, env);
    throw error;
  }
}

/** `--csds-port`: all clients at once, until they are closed. Those of drills come and go, and are not there. */
async function servingState(
  inspections: readonly Inspection[],
  args: Arguments,
  env: CliEnvironment,
): Promise<() => void> {
  const close = (): void => {
    for (const inspection of inspections) inspection.close();
  };
  return await serveState(() => inspections.flatMap(clientsOf), args, env, close);
}

/** Until all of them are settled, and as long after that as any target is to be observed. */
async function watch(
  watched: readonly Watched[],
  file: CheckFile,
  args: Arguments,
  env: CliEnvironment,
): Promise<Ending> {
  const observe = Math.max(0, ...file.targets.map((target) => target.observe));
  const limit = limitOf(watched, file, args);
  const progress = new Progress(args, env, limit + observe);
  const inspections = watched.map((one) => one.watch.inspection);
  const all: Parameters<Progress['show']>[0] = {
    snapshot: () => inspections.flatMap((inspection) => inspection.snapshot()),
    nextTimerEnd: (open) => {
      const ends = inspections.flatMap((inspection) => inspection.nextTimerEnd(open) ?? []);
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
  };
  const tick = (): void => progress.show(all);
  const isSettled = (): boolean => watched.map((one) => one.watch.isSettled()).every((isOne) => isOne);
  const end = await waitFor(isSettled, limit, env, tick);
  const after = end === 'interrupted' || observe === 0 ? end : await waitFor(() => false, observe, env, tick);
  progress.clear();
  return after === 'interrupted' ? after : end;
}

function limitOf(watched: readonly Watched[], file: CheckFile, args: Arguments): number {
  const timeout = args.timeout ?? file.timeout;
  return Math.max(0, ...watched.map((one) => timeLimit({ ...args, timeout }, one.watch.inspection)));
}

/** Of those that are ready; the others are told why there was none. */
async function drill(
  file: CheckFile,
  watched: readonly Watched[],
  observed: Seen['observed'],
  end: Ending,
  env: CliEnvironment,
): Promise<Awaited<ReturnType<typeof runDrills>>> {
  const ready = new Set(
    observed.flatMap(({ check, observation: { scope, channel } }) =>
      notReady('configured', scope, channel) === undefined ? [check] : [],
    ),
  );
  const drillable = watched.flatMap(({ group }) =>
    group.targets.flatMap((target) =>
      target.check.drill !== undefined && ready.has(target.check) ? [{ group, target }] : [],
    ),
  );
  const run = end !== 'interrupted' && drillable.length > 0;
  const drills = run ? await runDrills(drillable, env) : { end: 'settled' as const, evaluated: new Map() };
  const why = end === 'interrupted' ? 'interrupted' : 'the target is not ready to begin with';
  for (const check of file.targets)
    if (check.drill !== undefined && !drills.evaluated.has(check)) drills.evaluated.set(check, undrilled(check, why));
  return drills;
}

function remarkOn(
  end: Ending,
  drillEnd: Ending,
  watched: readonly Watched[],
  file: CheckFile,
  args: Arguments,
): string {
  if (end === 'interrupted' || drillEnd === 'interrupted') return 'interrupted: judged by what was seen so far';
  if (end !== 'timed out') return '';
  return `not settled after ${formatMillis(limitOf(watched, file, args))}: judged by what was seen so far`;
}

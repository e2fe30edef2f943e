import { readFileSync } from 'node:fs';
import type { LocatedProblem } from '../../base/document.js';
import { formatMillis } from '../../base/duration.js';
import { formatPath } from '../../base/problem.js';
import type { CheckFile } from '../../check/expectations.js';
import { judge } from '../../check/judge.js';
import type { Observation } from '../../check/observation.js';
import { readExpectations } from '../../check/read-expectations.js';
import { type CheckReport, checkDocument, failedOf, type Judged } from '../../check/report.js';
import { hasLostAuthority } from '../../engine/lost.js';
import { githubAnnotation } from '../../render/annotation.js';
import { checkAnnotations, checkJunit, checkTap, checkText } from '../../render/check.js';
import { jsonText } from '../../render/json.js';
import { paintFor } from '../../render/paint.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { problemLines, problemText } from '../problem-text.js';
import { runDrills, undrilled } from './check-drill.js';
import { BadCheckFile, type Group, prepareGroups } from './check-groups.js';
import { GroupWatch } from './check-watch.js';
import { reason } from './load-scenario.js';
import { Progress } from './progress.js';
import { startRecorder } from './recorder.js';
import { type Ending, timeLimit, waitFor } from './settling.js';

type Observed = ReturnType<GroupWatch['observations']>[number];

/** `check`: what was seen is judged and reported however it ends. */
export async function check(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  if (args.init !== undefined) return (await import('./check-init.js')).checkInit(args, env);
  if (args.file !== undefined) throw new Failure(EXIT.usage, '--file goes with --init');
  const path = args.expectations as string | undefined;
  if (path === undefined) throw new Failure(EXIT.usage, 'which expectations? xds-inspect check expectations.yaml');
  const file = await readCheckFile(path, args, env);
  const groups = await recorded(await groupsOf(file, path, args, env), args, env);
  const watches = groups.map((group) => new GroupWatch(group, env));
  const end = await watch(watches, file, args, env);
  const observed = watches.flatMap((one) => one.observations().map((seen) => ({ ...seen, group: one.group })));
  const judged = new Map(observed.map((seen) => [seen.check, judgeAll(seen)]));
  const isLost = observed.some((seen) => isUnreachable(seen.observation, judged.get(seen.check) ?? []));
  const isDrillable = ({ observation: { channel } }: Observed): boolean =>
    channel.state.kind === 'published' || channel.state.kind === 'served';
  for (const { inspection } of watches) inspection.close();
  const drillable = observed.filter((seen) => seen.check.drill !== undefined && isDrillable(seen));
  const drills = await drill(drillable, end, env);
  const undrilledSince = end === 'interrupted' ? 'interrupted' : 'the target is not ready to begin with';
  const all = file.targets.flatMap((target) => [
    ...(judged.get(target) ?? []),
    ...(drills.judged.get(target) ?? (target.drill === undefined ? [] : undrilled(target, undrilledSince))),
  ]);
  const report = { file: path, judged: all, remark: remarkOn(end, drills.end, file, watches, args) };
  await printReport(report, args, env);
  return exitCode(report, end, drills.end, isLost);
}

export async function readCheckFile(path: string, args: Arguments, env: CliEnvironment): Promise<CheckFile> {
  let source: string;
  try {
    source = path === '-' ? new TextDecoder().decode(await env.readStdin()) : readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure(EXIT.badInput, `${path}: cannot be read: ${reason(error)}`);
  }
  const result = readExpectations(source);
  if (result.ok) return result.file;
  throw badFile(path, result.problems, args, env);
}

async function groupsOf(file: CheckFile, path: string, args: Arguments, env: CliEnvironment): Promise<Group[]> {
  try {
    return await prepareGroups(file, path, args, env);
  } catch (error) {
    if (error instanceof BadCheckFile) throw badFile(path, error.problems, args, env);
    throw error;
  }
}

/** A recording is one client's: there is one bootstrap in it. Drills are not recorded. */
async function recorded(groups: Group[], args: Arguments, env: CliEnvironment): Promise<Group[]> {
  const [only, ...more] = groups;
  if (args.record === undefined || only === undefined) return groups;
  if (more.length > 0) {
    throw new Failure(
      EXIT.usage,
      `--record keeps one client, and the expectations need ${groups.length}: split the file`,
    );
  }
  const recorder = await startRecorder(only.prepared, only.args, env);
  return [{ ...only, prepared: { ...only.prepared, recorder } }];
}

/** In a workflow the problems of the file are annotations, too. */
function badFile(path: string, problems: readonly LocatedProblem[], args: Arguments, env: CliEnvironment): Failure {
  if (args.output === 'github') {
    for (const problem of problems) {
      const annotation = {
        ...problem,
        path: formatPath(problem.path),
        code: 'expectations',
        severity: 'error' as const,
      };
      env.stdout.write(githubAnnotation(path, annotation));
    }
  }
  return new Failure(EXIT.badInput, problemLines(problems.map((problem) => problemText(path, problem))));
}

/** Until all of them are settled, and as long after that as any target is to be observed. */
async function watch(
  watches: readonly GroupWatch[],
  file: CheckFile,
  args: Arguments,
  env: CliEnvironment,
): Promise<Ending> {
  const observe = Math.max(0, ...file.targets.map((target) => target.observe));
  const limit = limitOf(watches, file, args);
  const progress = new Progress(args, env, limit + observe);
  const all: Parameters<Progress['show']>[0] = {
    snapshot: () => watches.flatMap(({ inspection }) => inspection.snapshot()),
    nextTimerEnd: (open) => {
      const ends = watches.flatMap(({ inspection }) => inspection.nextTimerEnd(open) ?? []);
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
  };
  const tick = (): void => progress.show(all);
  const isSettled = (): boolean => watches.map((one) => one.isSettled()).every((isOne) => isOne);
  const end = await waitFor(isSettled, limit, env, tick);
  const after = end === 'interrupted' || observe === 0 ? end : await waitFor(() => false, observe, env, tick);
  progress.clear();
  return after === 'interrupted' ? after : end;
}

function limitOf(watches: readonly GroupWatch[], file: CheckFile, args: Arguments): number {
  const timeout = args.timeout ?? file.timeout;
  return Math.max(0, ...watches.map(({ inspection }) => timeLimit({ ...args, timeout }, inspection)));
}

function judgeAll({ check: { target, expectations }, observation }: Observed): Judged[] {
  return expectations.map((expectation) => {
    const { name, at } = expectation;
    return { name, target, at, ...judge(expectation, observation) };
  });
}

/** Nobody answered for it; or nobody does any more, and something that was expected is not so. */
function isUnreachable({ scope }: Observation, judged: readonly Judged[]): boolean {
  if (!hasLostAuthority(scope)) return false;
  return judged.some(({ ok }) => !ok) || scope.entries.every(({ status }) => status === 'REQUESTED');
}

async function drill(
  drillable: readonly (Observed & { group: Group })[],
  end: Ending,
  env: CliEnvironment,
): Promise<Awaited<ReturnType<typeof runDrills>>> {
  if (end === 'interrupted' || drillable.length === 0) return { end: 'settled', judged: new Map() };
  const targets = drillable.map(({ group, check: own }) => ({
    group,
    target: group.targets.find(({ check: one }) => one === own) as Group['targets'][number],
  }));
  return runDrills(targets, env);
}

function remarkOn(
  end: Ending,
  drillEnd: Ending,
  file: CheckFile,
  watches: readonly GroupWatch[],
  args: Arguments,
): string {
  if (end === 'interrupted' || drillEnd === 'interrupted') return 'interrupted: judged by what was seen so far';
  if (end !== 'timed out') return '';
  return `not settled after ${formatMillis(limitOf(watches, file, args))}: judged by what was seen so far`;
}

export async function printReport(report: CheckReport, args: Arguments, env: CliEnvironment): Promise<void> {
  const { stdout } = env;
  if (args.output === 'json') stdout.write(jsonText(checkDocument(report)));
  else if (args.output === 'junit') stdout.write(checkJunit(report));
  else if (args.output === 'github') stdout.write(checkAnnotations(report));
  else if (args.output === 'tap') stdout.write(checkTap(report));
  else {
    const paint = await paintFor(useColor(args.color as ColorChoice, env, stdout));
    stdout.write(checkText(report, args.verbose === true, paint));
  }
}

function exitCode(report: CheckReport, end: Ending, drillEnd: Ending, isLost: boolean): ExitCode {
  if (end === 'interrupted' || drillEnd === 'interrupted') return EXIT.interrupted;
  if (isLost) return EXIT.unavailable;
  if (end === 'timed out') return EXIT.timedOut;
  return failedOf(report).length > 0 ? EXIT.findings : EXIT.ok;
}

import type { LocatedProblem } from '../../base/document.js';
import type { CheckFile, TargetCheck } from '../../inspect/expect/expectations.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { badFile } from './check-file.js';
import { type Seen, TargetsWatch, type WatchedTarget } from './check-watch.js';
import { type OnEvent, resolveTargets } from './inspection.js';
import { type Recording, recordedSetting } from './recorded-session.js';

/** Watches a recording as if it happened now. What the file says about connecting does not count: it has happened. */
export async function seeRecorded(file: CheckFile, path: string, args: Arguments, env: CliEnvironment): Promise<Seen> {
  const recording = args.recording as Recording;
  let observe: OnEvent = () => {};
  const { inspection, replaying } = recording.open(args, env, (event, isStorm) => observe(event, isStorm));
  const targets = targetsOf(file, path, recording, args, env);
  const watch = new TargetsWatch(
    targets,
    (onEvent) => {
      observe = onEvent;
      return inspection;
    },
    env,
  );
  await recording.play(replaying, () => watch.isSettled());
  const end = watch.isSettled() ? 'settled' : 'timed out';
  const drills = file.targets.filter(({ drill }) => drill !== undefined).length;
  const remarks = [
    ...(end === 'settled' ? [] : ['not settled by then: judged by what was seen so far']),
    ...(drills === 0
      ? []
      : [`not judged, since a recording cannot be drilled: ${drills} fallback drill${drills === 1 ? '' : 's'}`]),
  ];
  return {
    observed: watch.observations(),
    end,
    drilled: new Map(),
    unseen: 'the recording does not follow this target',
    remark: remarks.join('; '),
  };
}

/** By the bootstrap of the recording; those of another node are another client's. */
function targetsOf(
  file: CheckFile,
  path: string,
  { header }: Recording,
  args: Arguments,
  env: CliEnvironment,
): WatchedTarget[] {
  const { bootstrap, preset, switches } = recordedSetting(header);
  const problems: LocatedProblem[] = [];
  const found = file.targets.flatMap((check: TargetCheck) => {
    const { target, nodeId = bootstrap.node?.id, defaultAuthority } = check;
    const [follow] = resolveTargets({ targets: [target], defaultAuthority }, bootstrap, preset, switches);
    if (follow?.kind === 'unusable') problems.push({ path: [], message: `${target}: ${follow.message}`, ...check.at });
    return follow?.kind === 'follow' && nodeId === bootstrap.node?.id ? [{ check, follow }] : [];
  });
  if (problems.length > 0) throw badFile(path, problems, args, env);
  return found;
}

import type { LocatedProblem } from '../../base/document.js';
import type { CheckFile } from '../../inspect/expect/expectations.js';
import { observeRecording } from '../../inspect/expect/observe-targets.js';
import { type CheckedTarget, TargetWatch } from '../../inspect/expect/target-watch.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { recordedSetting } from '../../inspect/recorded.js';
import type { RecordingSource } from '../../inspect/source.js';
import type { CheckInput } from '../commands/check.js';
import type { Printer } from '../printer.js';
import type { Seen } from './check.js';
import { badFile } from './check-file.js';
import { resolveTargets } from './connect.js';

/** Observes a recording. What the file says about connecting does not count. */
export async function seeRecorded(
  file: CheckFile,
  path: string,
  source: RecordingSource,
  inspection: ClientInspection,
  output: CheckInput['output'],
  out: Printer,
): Promise<Seen> {
  const problems: LocatedProblem[] = [];
  const watch = new TargetWatch(targetsOf(file, source, problems), inspection);
  if (problems.length > 0) throw await badFile(path, problems, output, out);
  const { ending, targets } = await observeRecording(watch);
  const drills = file.targets.filter(({ drill }) => drill !== undefined).length;
  const remarks = [
    ...(ending === 'met' ? [] : ['not settled by then: judged by what was seen so far']),
    ...(drills === 0
      ? []
      : [`not judged, since a recording cannot be drilled: ${drills} fallback drill${drills === 1 ? '' : 's'}`]),
  ];
  return {
    observed: targets,
    ending,
    drilled: new Map(),
    unseen: 'the recording does not follow this target',
    remark: remarks.join('; '),
  };
}

/** By the bootstrap of the recording; targets of another node are another client's. */
function targetsOf(file: CheckFile, { header }: RecordingSource, problems: LocatedProblem[]): CheckedTarget[] {
  const { bootstrap, preset: as, switches } = recordedSetting(header);
  return file.targets.flatMap((check): CheckedTarget[] => {
    const { target, nodeId = bootstrap.node?.id, defaultAuthority } = check;
    const [follow] = resolveTargets([target], { as, defaultAuthority }, bootstrap, switches);
    if (follow?.kind === 'unusable') problems.push({ path: [], message: `${target}: ${follow.message}`, ...check.at });
    return follow?.kind === 'follow' && nodeId === bootstrap.node?.id ? [{ check, follow }] : [];
  });
}

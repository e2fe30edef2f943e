import { countText, firstFew } from '../../base/count-text.js';
import type { ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { PRESETS } from '../../bootstrap/presets.js';
import { compareSets } from '../../inspect/diff/compare-sets.js';
import { filteredSet } from '../../inspect/diff/filtered-set.js';
import type { ResourceSet } from '../../inspect/diff/resource-set.js';
import { withLackingNote } from '../../inspect/diff-sides/lacking-note.js';
import { parseSide } from '../../inspect/diff-sides/parse-side.js';
import { misused, type Side, type SideProblem } from '../../inspect/diff-sides/side.js';
import { exitCode, firstExitCode } from '../../inspect/outcome.js';
import { ResourceFilter } from '../../inspect/resource-filter.js';
import { defaultTimeLimit } from '../../inspect/settled.js';
import type { CliEnvironment } from '../../io/environment.js';
import { withProgress } from '../../io/progress.js';
import { sidePaths } from '../../io/side-paths.js';
import { apiTypeName } from '../../proto/api-types.js';
import { settlingText } from '../../view/progress-text.js';
import type { DiffInput } from '../commands/diff.js';
import { Printer } from '../printer.js';
import { checkConnections, connectionOf, csdsSettings } from './diff-connection.js';
import { catchFailure, type Reading, type ReadSide } from './diff-side.js';
import { checkDiffFormat, printDiff } from './print-diff.js';

/** `diff`: reads two sides at the same time, and prints how their resources differ. */
export async function diff(input: DiffInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  checkDiffFormat(input.output, out);
  checkFilter(input);
  const sides = [input.before, input.after ?? sameTarget(input)].map((typed) =>
    allowed(parseSide(typed, sidePaths), env),
  );
  const problems = sides.filter((side) => side.kind === 'problem');
  for (const { message } of problems) out.fail(message);
  if (problems.length > 0) return firstExitCode(problems.map((problem) => problem.exitCode));
  const [left, right] = await readBoth(sides as Side[], input, out);
  const all = [left, right];
  for (const message of new Set(all.flatMap((side) => side.problems))) out.fail(message);
  const codes = all.map((side) => (side.kind === 'failed' ? side.exitCode : exitCode(side.outcome)));
  if (left.kind === 'failed' || right.kind === 'failed') {
    for (const side of all) if (side.kind === 'read') out.printLine(contentText(filteredSet(side.set, input)));
    return firstExitCode(codes);
  }
  const [before, after] = [filteredSet(left.set, input), filteredSet(right.set, input)];
  const found = compareSets(withLackingNote(before, after), withLackingNote(after, before), input);
  await printDiff({ diff: found, showSecrets: input.showSecrets }, input.output, out);
  return firstExitCode([...codes, exitCode({ hasFindings: found.differences.length > 0 })]);
}

/** A process and a URL are servers that a side names. */
function allowed(side: Side | SideProblem, { onlyGivenServers }: CliEnvironment): Side | SideProblem {
  if (onlyGivenServers !== true || (side.kind !== 'csds' && side.kind !== 'url')) return side;
  return misused(`${side.typed}: a side may not name a server here: use a target, a file, a folder or a recording`);
}

/** The second side of one target on two control planes. */
function sameTarget({ before, bootstrap, server, kube, context }: DiffInput): string {
  if ([bootstrap, server, kube, context].some(({ length }) => length > 1)) return before;
  throw new UsageError(
    'missing argument: the other side. To compare a target on two control planes, give -b, --server, --kube or --context twice',
  );
}

function checkFilter({ name }: DiffInput): void {
  const problem = ResourceFilter.problemWith(name);
  if (problem !== undefined) throw new UsageError(`--name: ${problem}`);
}

async function readBoth(sides: readonly Side[], input: DiffInput, out: Printer): Promise<[ReadSide, ReadSide]> {
  if (sides.every((side) => side.kind === 'file' && side.path === '-'))
    throw new UsageError('both sides are stdin: one of them must be something else');
  checkConnections(input, sides);
  const interrupt = new AbortController();
  const inspections: Reading['inspections'] = new Set();
  const { resourceTimerMs: longestTimerMs } = PRESETS[input.as].policies;
  const limit = input.timeout ?? defaultTimeLimit({ longestTimerMs });
  return await withProgress(
    { ...input, limit },
    out.env,
    (line) => line.show((left) => settlingText([...inspections], left)),
    async (wait) => {
      const release = wait.onInterrupt?.(() => interrupt.abort());
      const reading: Reading = { input, out, wait: { tick: wait.tick }, interrupt: interrupt.signal, inspections };
      const read = (index: number): Promise<ReadSide> => catchFailure(() => readOne(sides, index, reading));
      try {
        return await Promise.all([read(0), read(1)]);
      } finally {
        release?.();
      }
    },
  );
}

/** Loads the code for that kind of side on demand. */
async function readOne(sides: readonly Side[], index: number, reading: Reading): Promise<ReadSide> {
  const side = sides[index] as Side;
  switch (side.kind) {
    case 'target':
      return await (await import('./diff-live.js')).readTarget(
        side.target,
        await connectionOf(reading.input, sides, index, reading.out.env),
        reading,
      );
    case 'csds':
      return await (await import('./diff-csds.js')).readProcess(
        side.address,
        await csdsSettings(side.address.address, reading.input, index, reading.out.env),
        reading,
      );
    case 'folder':
      return await (await import('./diff-files.js')).readFolder(side.path, reading);
    case 'file':
      return await (await import('./diff-files.js')).readFile(side, reading);
    case 'url':
      return await (await import('./diff-files.js')).readUrl(side.url, reading);
  }
}

/** `resources/ (2 files): 5 resources were read (2 CDS, 3 EDS)` */
function contentText({ label, resources }: ResourceSet): string {
  const counts = new Map<string, number>();
  for (const { typeUrl } of resources) counts.set(typeUrl, (counts.get(typeUrl) ?? 0) + 1);
  const types = firstFew([...counts], 5, ([typeUrl, count]) => `${count} ${apiTypeName(typeUrl)}`);
  const read = countText(resources.length, 'resource');
  return `${label}: ${read} read${types === '' ? '' : ` (${types})`}`;
}

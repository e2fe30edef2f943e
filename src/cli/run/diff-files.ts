import { countText } from '../../base/count-text.js';
import { EXIT } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { readSideFile, type SideFile, unreadable } from '../../inspect/diff-sides/read-file.js';
import { blockingWork } from '../../io/blocking-work.js';
import { fetchUrl } from '../../io/fetch-url.js';
import { looksRecorded } from '../../io/find-recording.js';
import { resourceSources } from '../../io/resource-sources.js';
import { failedSide, type Reading, type ReadSide, readSide } from './diff-side.js';

const DEFAULT_TIMEOUT_MS = 20_000;
/** More problems than these are counted. */
const MAX_PROBLEMS = 50;

/** Reads a recording, or a file with resources, a saved document or a dump. */
export async function readFile(
  { path, at, isEnvoy }: { path: string; at: string | undefined; isEnvoy: boolean },
  reading: Reading,
): Promise<ReadSide> {
  if (path !== '-' && looksRecorded(path))
    return (await import('./diff-recording.js')).readRecording(path, at, reading);
  if (at !== undefined) throw new UsageError(`${path} is not a recording: @${at} is a time in a recording`);
  const [file = unreadable()] = await sideFiles(path, reading);
  if (isEnvoy && file.problems.length === 0 && file.kind === undefined)
    return failedSide(EXIT.badInput, `${path}: not a config dump of Envoy: omit envoy: for a file of resources`);
  return ofFiles(path === '-' ? 'stdin' : path, [file], file.kind);
}

/** Reads all resource files below a folder. */
export async function readFolder(path: string, reading: Reading): Promise<ReadSide> {
  const files = await sideFiles(path, reading);
  return ofFiles(path, files, countText(files.length, 'file'));
}

async function sideFiles(path: string, { out }: Reading): Promise<SideFile[]> {
  const files: SideFile[] = [];
  for await (const read of resourceSources(path, out.env.readStdin)) {
    await out.env.stdout.ready();
    const { source } = read;
    files.push(
      'bytes' in read ? blockingWork(() => readSideFile(source, read.bytes)) : unreadable(`${source}: ${read.problem}`),
    );
  }
  return files;
}

/** Reads a dump from the admin interface of Envoy, or any other document that a file may contain. */
export async function readUrl(url: string, { input, interrupt }: Reading): Promise<ReadSide> {
  if (!URL.canParse(url)) throw new UsageError(`${url}: not a valid URL`);
  const timeoutMs = input.timeout ?? DEFAULT_TIMEOUT_MS;
  const fetched = await fetchUrl(url, { ...input, timeoutMs, signal: interrupt });
  if (interrupt.aborted) return failedSide(EXIT.interrupted);
  if ('failure' in fetched) return failedSide(EXIT.unavailable, `${url}: ${fetched.failure}`);
  const file = blockingWork(() => readSideFile(url, fetched.bytes));
  return ofFiles(url, [withoutEndpoints(file, url)], file.kind);
}

/** Envoy omits endpoints by default. */
function withoutEndpoints(file: SideFile, url: string): SideFile {
  const hasEndpoints = file.parts.some(({ resources }) =>
    resources.some(({ typeUrl }) => typeUrl.endsWith('.ClusterLoadAssignment')),
  );
  if (file.kind !== 'config dump' || hasEndpoints || /[?&]include_eds/.test(url)) return file;
  return { ...file, notes: [...file.notes, 'this dump has no endpoints: add ?include_eds to the URL'] };
}

function ofFiles(name: string, files: readonly SideFile[], kind: string | undefined): ReadSide {
  const problems = files.flatMap((file) => file.problems);
  if (problems.length > 0) {
    const more = problems.length - MAX_PROBLEMS;
    const rest = more > 0 ? [`${name}: ${countText(more, 'more problem')}`] : [];
    return failedSide(EXIT.badInput, ...problems.slice(0, MAX_PROBLEMS), ...rest);
  }
  const label = kind === undefined ? name : `${name} (${kind})`;
  return readSide(
    label,
    files.flatMap(({ parts }) => parts),
    files.flatMap(({ notes }) => notes),
  );
}

import type { ParsedTarEntry } from 'modern-tar';
import { firstFew } from '../../base/count-text.js';
import { isGzip, type RecordingBytes } from '../recording-bytes.js';
import { UnsuitableFile } from '../unsuitable-file.js';
import { type Archive, members } from './archive.js';

/** A bundle has fewer than ten. */
const MAX_MEMBERS = 100;
const MAX_NAME_LENGTH = 255;
const SHOWN = 5;

const RECORDING = /\.xdsrec(\.gz)?$/i;

/** The recording in a support bundle. Throws an UnsuitableFile that lists all problems of the archive. */
export async function bundledRecording(archive: Archive): Promise<RecordingBytes> {
  const names = new Set<string>();
  const recordings: { name: string; isCompressed: boolean }[] = [];
  const problems: string[] = [];
  for await (const member of members(archive)) {
    const name = shortName(member);
    const problem = names.has(name) ? `${name} is in it twice` : problemOf(member);
    names.add(name);
    if (names.size > MAX_MEMBERS) throw new UnsuitableFile(`it has more than ${MAX_MEMBERS} files`);
    if (problem !== undefined) problems.push(problem);
    if (isRecording(member)) recordings.push({ name, isCompressed: isGzip(await startOf(member)) });
    else await member.body.cancel();
    if (problems.length > MAX_MEMBERS) break;
  }
  if (problems.length > 0) throw new UnsuitableFile(`it is no support bundle: ${firstFew(problems, SHOWN, String)}`);
  const [first, second] = recordings;
  if (first === undefined)
    throw new UnsuitableFile('it is an archive without a recording (FILE.xdsrec or FILE.xdsrec.gz)');
  if (second !== undefined) {
    const found = firstFew(recordings, SHOWN, ({ name }) => name);
    throw new UnsuitableFile(`it has several recordings: ${found}. Unpack it, and replay one of them`);
  }
  return { isCompressed: first.isCompressed, read: () => bytesOf(archive, first.name) };
}

/** Only the recording is read. Other members are checked, too: who sees `..` or a link should not unpack the archive. */
function problemOf({ header: { name, type, linkname, pax } }: ParsedTarEntry): string | undefined {
  const shown = shortName({ header: { name } });
  if (name.length > MAX_NAME_LENGTH) return `${shown} has a name with more than ${MAX_NAME_LENGTH} characters`;
  if (name === '') return 'a file has no name';
  if (/^([/\\]|[A-Za-z]:)/.test(name)) return `${shown} has an absolute path`;
  if (/(^|[/\\])\.\.([/\\]|$)/.test(name)) return `${shown} has a path with ..`;
  if (type === 'symlink' || type === 'link')
    return `${shown} is a link to ${shortName({ header: { name: linkname ?? '' } })}`;
  if (type !== 'file' && type !== 'directory') return `${shown} is not a file but a ${type}`;
  if (Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse.'))) return `${shown} is a sparse file`;
  return undefined;
}

/** macOS adds a file `._NAME` with its own attributes for each file. */
function isRecording({ header: { name, type } }: ParsedTarEntry): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return type === 'file' && RECORDING.test(base) && !base.startsWith('._');
}

function shortName({ header: { name } }: { header: { name: string } }): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

/** The first two bytes of a member at least, if it has them. The rest is skipped. */
async function startOf({ body }: ParsedTarEntry): Promise<Uint8Array> {
  let start: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    start = Buffer.concat([start, chunk]);
    if (start.length > 1) break;
  }
  return start;
}

async function* bytesOf(archive: Archive, wanted: string): AsyncGenerator<Buffer> {
  for await (const member of members(archive)) {
    if (member.header.name !== wanted) {
      await member.body.cancel();
      continue;
    }
    for await (const chunk of member.body) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    return;
  }
}

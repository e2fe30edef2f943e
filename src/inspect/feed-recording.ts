import { formatMillis } from '../base/duration.js';
import { InputProblem } from '../base/input-problem.js';
import { type Line, RecordingDecoder } from '../engine/recording/decoder.js';
import type { RecordingHeader } from '../engine/recording/header.js';
import type { Replaying } from '../engine/replay.js';
import type { RecordingFile, RecordingSource } from './source.js';

/** Reads the first line of a recording. Throws if it is not a header. */
export async function readHeader({ path, readLines }: RecordingFile): Promise<RecordingHeader> {
  let first: Line | undefined;
  const end = await readLines((text) => {
    first = new RecordingDecoder().line(text);
    return false;
  });
  if (first?.kind === 'header') return first.header;
  const why = first?.kind === 'damage' ? first.what : end.kind === 'whole' ? 'it is empty' : end.what;
  throw new InputProblem(`${path} cannot be replayed: ${why}`);
}

/** The end time of the replayed part of a recording, and a description of damage to the file. */
export interface FedRecording {
  end: number;
  remark: string | undefined;
}

/** Feeds a recording to an engine, up to `until` if it is set. */
export async function feedRecording(
  { file, header: { start }, until }: Pick<RecordingSource, 'file' | 'header' | 'until'>,
  replaying: Replaying,
): Promise<FedRecording> {
  const decoder = new RecordingDecoder((text) => file.decodeBase64(text));
  const limit = until ?? Number.POSITIVE_INFINITY;
  let now = start;
  let inputs = 0;
  let remark: string | undefined = 'it was not closed: the recorder was killed, or is still running';
  const end = await file.readLines((text, number) => {
    const line = decoder.line(text);
    if (line.kind === 'header') return true;
    if (line.kind === 'damage') {
      remark = `line ${number} cannot be used: ${line.what}`;
      return false;
    }
    if (line.at > limit || line.kind === 'end') {
      now = Math.min(line.at, limit);
      remark =
        line.kind === 'end' && line.reason !== 'closed' ? `it ends before the session: ${line.reason}` : undefined;
      return false;
    }
    now = line.at;
    inputs++;
    const { input, at } = line;
    return () => {
      replaying.input(input, at);
      return true;
    };
  });
  if (end.kind !== 'whole') remark = end.what;
  if (inputs === 0 && until === undefined) {
    const why = remark === undefined ? '' : `: ${remark}`;
    throw new InputProblem(`${file.path} contains nothing to replay${why}`);
  }
  replaying.end(now);
  const shown = `Showing the session up to there: ${formatMillis(Math.max(0, now - start))}.`;
  return { end: now, remark: remark && `${file.path}: ${remark}. ${shown}` };
}

import { formatMillis } from '../base/duration.js';
import { InputProblem } from '../base/input-problem.js';
import { type Line, RecordingDecoder } from '../engine/recording/decoder.js';
import type { RecordingHeader } from '../engine/recording/header.js';
import type { Replaying } from '../engine/replay.js';
import type { RecordingFile, RecordingSource } from './source.js';

/** The first line of a recording; a file without one cannot be shown. */
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

/** When the recording, or the part of it that was played, ended; and what is wrong with the file. */
export interface FedRecording {
  end: number;
  remark: string | undefined;
}

/** Feeds a recording to an engine, up to a time if one is given. */
export async function feedRecording(
  { file, header: { start }, until }: Pick<RecordingSource, 'file' | 'header' | 'until'>,
  replaying: Replaying,
): Promise<FedRecording> {
  const decoder = new RecordingDecoder((text) => file.decodeBase64(text));
  const limit = until ?? Number.POSITIVE_INFINITY;
  let now = start;
  let inputs = 0;
  let remark: string | undefined = 'it was not closed: what made it was killed, or goes on';
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
        line.kind === 'end' && line.reason !== 'closed' ? `it ends before the session did: ${line.reason}` : undefined;
      return false;
    }
    now = line.at;
    inputs++;
    replaying.input(line.input, line.at);
    return true;
  });
  if (end.kind !== 'whole') remark = end.what;
  if (inputs === 0 && until === undefined) {
    const why = remark === undefined ? '' : `: ${remark}`;
    throw new InputProblem(`${file.path} holds nothing that can be replayed${why}`);
  }
  replaying.end(now);
  const shown = `What comes before is shown: ${formatMillis(Math.max(0, now - start))} of the session.`;
  return { end: now, remark: remark && `${file.path}: ${remark}. ${shown}` };
}

import { formatMillis } from '../../base/duration.js';
import { type Line, RecordingDecoder } from '../../engine/recording/decoder.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import type { Replaying } from '../../engine/replay.js';
import { readLines } from '../../io/recording-lines.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

/** The first line of a recording; a file without one cannot be shown. */
export async function readHeader(path: string): Promise<RecordingHeader> {
  let first: Line | undefined;
  const end = await readLines(path, (text) => {
    first = new RecordingDecoder().line(text);
    return false;
  });
  if (first?.kind === 'header') return first.header;
  if (first?.kind === 'damage') throw new Failure(EXIT.badInput, `${path} cannot be replayed: ${first.what}`);
  const why = end.kind === 'whole' ? 'it is empty' : end.what;
  throw new Failure(EXIT.badInput, `${path} cannot be replayed: ${why}`);
}

/** What was played, up to when, and what there is to say about the file. */
export interface Played {
  end: number;
  remark: string | undefined;
}

/** Feeds a recording to an engine, up to a time if one is given. */
export async function play(
  path: string,
  { start }: RecordingHeader,
  until: number | undefined,
  replaying: Replaying,
): Promise<Played> {
  const decoder = new RecordingDecoder(bytesOfBase64);
  const limit = until ?? Number.POSITIVE_INFINITY;
  let now = start;
  let inputs = 0;
  let remark: string | undefined = 'it was not closed: what made it was killed, or goes on';
  const end = await readLines(path, (text, number) => {
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
    throw new Failure(
      EXIT.badInput,
      `${path} holds nothing that can be replayed${remark === undefined ? '' : `: ${remark}`}`,
    );
  }
  replaying.end(now);
  const shown = `What comes before is shown: ${formatMillis(Math.max(0, now - start))} of the session.`;
  return { end: now, remark: remark && `${path}: ${remark}. ${shown}` };
}

function bytesOfBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // Buffer passes over what is no base64; then there is less of it.
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined;
}

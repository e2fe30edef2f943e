import { formatMillis } from '../../base/duration.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import { fetchPart, scopePart } from '../../inspect/diff-sides/cached-resources.js';
import type { SidePart } from '../../inspect/diff-sides/merge-parts.js';
import { readHeader } from '../../inspect/feed-recording.js';
import { openGet, recordedRequest } from '../../inspect/get.js';
import { open } from '../../inspect/inspection.js';
import type { RecordingSource } from '../../inspect/source.js';
import { never, until } from '../../inspect/until.js';
import { recordingFile } from '../../io/recording-lines.js';
import { type Reading, type ReadSide, readSide } from './diff-side.js';
import { recordingTime } from './recording-time.js';

/** Reads the resources in use at a time of a recording, or at its end. */
export async function readRecording(path: string, at: string | undefined, { out }: Reading): Promise<ReadSide> {
  const file = recordingFile(path, () => out.env.stdout.ready());
  const header = await readHeader(file);
  const end = at === undefined ? undefined : recordingTime(at, header, `${path}@TIME`);
  const notes: string[] = [];
  const onRemark = (sentence: string): void => void notes.push(sentence);
  const source: RecordingSource = { kind: 'recording', file, header, until: end, changes: {}, onRemark };
  const { parts, now } = await replayed(source);
  if (end !== undefined && now < end)
    notes.push(`${path} ends after ${formatMillis(now - header.start)}: its last state is compared`);
  const label = end === undefined ? `${path} at its end` : `${path} at ${timeText(end, header)}`;
  return readSide(label, parts, notes);
}

function timeText(at: number, { start }: RecordingHeader): string {
  return formatMillis(at - start);
}

async function replayed(source: RecordingSource): Promise<{ parts: SidePart[]; now: number }> {
  const { fetch } = source.header;
  if (fetch === undefined) {
    const inspection = await open(source);
    await until(inspection, never, { limit: 0 });
    return { parts: inspection.snapshot().map(scopePart), now: inspection.now() };
  }
  // A recording of `get` has no targets.
  const request = recordedRequest(fetch);
  const inspection = await openGet(source, new Set(), request);
  await until(inspection, never, { limit: 0 });
  return { parts: [fetchPart(inspection.fetch, request.typeUrl)], now: source.until ?? source.header.start };
}

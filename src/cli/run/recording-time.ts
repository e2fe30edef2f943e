import { parseMillis } from '../../base/duration.js';
import { UsageError } from '../../base/failure.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import { timestamp } from '../../proto/timestamp.js';

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Reads a time of a recording. `what` names the flag or the word that has it. */
export function recordingTime(text: string, { start }: Pick<RecordingHeader, 'start'>, what: string): number {
  const offset = parseMillis(text);
  const at = offset !== undefined ? start + Math.round(offset) : RFC_3339.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new UsageError(`${what} takes an offset from the start such as 12.5s, or an RFC 3339 time, not "${text}"`);
  }
  if (at < start) throw new UsageError(`${what} ${text} is before the start of the recording, ${timestamp(start)}`);
  return at;
}

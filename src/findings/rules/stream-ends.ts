import { statusCode, statusName } from '../../base/status.js';
import type { StreamEvent } from '../../core/event.js';
import { isOverLimit } from '../over-limit.js';
import type { Report, Rule } from '../rule.js';

interface StreamHistory {
  isAnswered: boolean;
  /** In a row, without an answer. */
  silent: number;
  /** When the last streams ended. */
  times: number[];
}

const UNIMPLEMENTED = statusCode('UNIMPLEMENTED');
/** What a server says of whom it does not want to serve: its first request has nothing in it but who asks, and for what. */
const REFUSALS: ReadonlySet<number> = new Set(
  (['INVALID_ARGUMENT', 'UNAUTHENTICATED', 'PERMISSION_DENIED'] as const).map(statusCode),
);
/** So many in a row without an answer are no restart; nor are so many in a minute. */
const SILENT_ENDS = 3;
const ENDS = 5;
const ENDS_WITHIN_MS = 60_000;

/** Streams that a server ends. */
export function streamEnds(report: Report): Rule {
  const servers = new Map<string, StreamHistory>();

  function ended({ at, scope, server, status = { code: 0, message: '' } }: StreamEvent, ends: StreamHistory): void {
    const who = { at, scope, server };
    const how = `${statusName(status.code)} ${status.message}`.trim();
    ends.silent = ends.isAnswered ? 0 : ends.silent + 1;
    ends.times = [...ends.times, at].slice(-ENDS);
    if (!ends.isAnswered && status.code === UNIMPLEMENTED) {
      report({ ...who, code: 'XI220', message: `The server refuses the stream: ${how}` });
      return;
    }
    if (!ends.isAnswered && REFUSALS.has(status.code)) {
      report({ ...who, code: 'XI225', message: `The server refuses this client: ${how}` });
      return;
    }
    const [first = at] = ends.times;
    const isOften = ends.times.length === ENDS && at - first <= ENDS_WITHIN_MS;
    if (ends.silent < SILENT_ENDS && !isOften) return;
    const times = ends.silent === SILENT_ENDS ? SILENT_ENDS : 1;
    const without = ends.silent >= SILENT_ENDS ? ' without an answer' : '';
    const message = `The server ends one stream after the other${without}: ${how}`;
    report({ ...who, code: 'XI221', times, message });
  }

  return {
    stream(event) {
      const key = `${event.scope} ${event.server}`;
      const ends = servers.get(key) ?? { isAnswered: false, silent: 0, times: [] };
      servers.set(key, ends);
      if (event.change === 'opened') ends.isAnswered = false;
      else if (event.change === 'ended' && !(event.status && isOverLimit(event.status))) ended(event, ends);
    },
    response({ scope, server }) {
      const ends = servers.get(`${scope} ${server}`);
      if (ends !== undefined) ends.isAnswered = true;
    },
  };
}

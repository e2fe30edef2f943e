import { statusCode, statusName } from '../../base/status.js';
import type { StreamEvent } from '../../core/event.js';
import { isOverLimit } from '../over-limit.js';
import type { Report, Rule } from '../rule.js';
import { streamRefusal } from '../stream-refusal.js';

interface StreamHistory {
  hasResponse: boolean;
  /** The server has responded on some stream: it supports the protocol and the node. */
  hasEverResponded: boolean;
  /** Number of consecutive streams that ended without a response. */
  withoutResponse: number;
  /** When the last streams ended. */
  times: number[];
}

const UNIMPLEMENTED = statusCode('UNIMPLEMENTED');
/** Statuses with which a server rejects a client: the first request contains only the node and the requested names. */
const CLIENT_REJECTIONS: ReadonlySet<number> = new Set(
  (['INVALID_ARGUMENT', 'UNAUTHENTICATED', 'PERMISSION_DENIED'] as const).map(statusCode),
);
/** More ends than a restart of the server explains: in a row without a response, or within a minute. */
const MAX_WITHOUT_RESPONSE = 3;
const MAX_ENDS = 5;
const ENDS_WITHIN_MS = 60_000;

/** Detects servers that reject the client or end its streams repeatedly. */
export function streamEnds(report: Report): Rule {
  const servers = new Map<string, StreamHistory>();

  function ended({ at, scope, server, status = { code: 0, message: '' } }: StreamEvent, ends: StreamHistory): void {
    const who = { at, scope, server };
    const how = `${statusName(status.code)} ${status.message}`.trim();
    ends.withoutResponse = ends.hasResponse ? 0 : ends.withoutResponse + 1;
    ends.times = [...ends.times, at].slice(-MAX_ENDS);
    const refused = ends.hasEverResponded ? undefined : streamRefusal(statusName(status.code), status.message);
    if (refused !== undefined) {
      report({ ...who, code: 'XI226', message: `The server ${refused.text}` });
      return;
    }
    if (!ends.hasResponse && status.code === UNIMPLEMENTED) {
      report({ ...who, code: 'XI220', message: `The server rejects the stream: ${how}` });
      return;
    }
    if (!ends.hasResponse && CLIENT_REJECTIONS.has(status.code)) {
      report({ ...who, code: 'XI225', message: `The server rejects this client: ${how}` });
      return;
    }
    const [first = at] = ends.times;
    const isOften = ends.times.length === MAX_ENDS && at - first <= ENDS_WITHIN_MS;
    if (ends.withoutResponse < MAX_WITHOUT_RESPONSE && !isOften) return;
    const times = ends.withoutResponse === MAX_WITHOUT_RESPONSE ? MAX_WITHOUT_RESPONSE : 1;
    const without = ends.withoutResponse >= MAX_WITHOUT_RESPONSE ? ' without a response' : '';
    const message = `The server ends streams repeatedly${without}: ${how}`;
    report({ ...who, code: 'XI221', times, message });
  }

  return {
    stream(event) {
      const key = `${event.scope} ${event.server}`;
      const ends = servers.get(key) ?? {
        hasResponse: false,
        hasEverResponded: false,
        withoutResponse: 0,
        times: [],
      };
      servers.set(key, ends);
      if (event.change === 'opened') ends.hasResponse = false;
      else if (event.change === 'ended' && !(event.status && isOverLimit(event.status))) ended(event, ends);
    },
    response({ scope, server }) {
      const ends = servers.get(`${scope} ${server}`);
      if (ends !== undefined) ends.hasResponse = ends.hasEverResponded = true;
    },
  };
}

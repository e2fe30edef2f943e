import { formatMillis } from '../../base/duration.js';
import type { StreamId } from '../../core/input.js';
import { shortType } from '../../proto/resource-types.js';
import { listed } from '../message-text.js';
import type { Report, Rule } from '../rule.js';

/** The responses of a server to one client on the current stream. */
interface StreamResponses {
  stream: StreamId;
  /** The type of the first request, the only one that contains the node. */
  firstType: string | undefined;
  /** Time of the last response of each type. */
  respondedAt: Map<string, number>;
  timerMs: number;
}

interface OverdueNames {
  at: number;
  scope: string;
  server: string;
  typeUrl: string;
  names: string[];
  count: number;
  /** Kept here because the stream may end in the same step. */
  responses: StreamResponses | undefined;
}

const MAX_NAMES = 20;

/** Detects names whose resource timer expired without any response of their type. */
export function missingResponse(report: Report): Rule {
  const streams = new Map<string, StreamResponses>();
  let overdue = new Map<string, OverdueNames>();

  const streamOf = (scope: string, server: string): StreamResponses | undefined => streams.get(`${scope} ${server}`);

  function evaluate({ at, scope, server, typeUrl, names, count, responses }: OverdueNames): void {
    const timerMs = responses?.timerMs ?? 0;
    if ((responses?.respondedAt.get(typeUrl) ?? Number.NEGATIVE_INFINITY) >= at - timerMs) return;
    const others = [...(responses?.respondedAt.keys() ?? [])].filter((type) => type !== typeUrl).map(shortType);
    const what = `${shortType(typeUrl)} ${listed(names, count)} within ${formatMillis(timerMs)}`;
    const who = { at, scope, server, typeUrl, names };
    // After a response of this type, a missing name may simply not exist.
    if (count > 1 && others.length > 0 && responses?.respondedAt.has(typeUrl) !== true) {
      const message = `No response for any of ${what}, although the server responds for ${others.join(', ')}`;
      report({ ...who, code: 'XI202', message });
      return;
    }
    report({
      ...who,
      code: 'XI201',
      message: `No response to the request for ${what}${responseHint(responses, others)}`,
    });
  }

  return {
    request({ scope, server, typeUrl }) {
      const responses = streamOf(scope, server);
      if (responses !== undefined) responses.firstType ??= typeUrl;
    },
    stream({ scope, server, stream, change }) {
      const key = `${scope} ${server}`;
      if (change === 'opened') streams.set(key, { stream, firstType: undefined, respondedAt: new Map(), timerMs: 0 });
      else streams.delete(key);
    },
    response({ at, scope, server, typeUrl }) {
      streamOf(scope, server)?.respondedAt.set(typeUrl, at);
    },
    timer({ at, scope, server, typeUrl, names, change, milliseconds }) {
      const responses = streamOf(scope, server);
      if (change === 'started') {
        if (responses !== undefined) responses.timerMs = milliseconds ?? 0;
        return;
      }
      const key = `${scope} ${server} ${typeUrl}`;
      const group = overdue.get(key) ?? { at, scope, server, typeUrl, names: [], count: 0, responses };
      overdue.set(key, group);
      group.count += names.length;
      for (const name of names) if (group.names.length < MAX_NAMES) group.names.push(name);
    },
    endStep() {
      if (overdue.size === 0) return;
      for (const group of overdue.values()) evaluate(group);
      overdue = new Map();
    },
  };
}

/** Describes the other responses on the stream, which may indicate the cause. */
function responseHint(responses: StreamResponses | undefined, others: readonly string[]): string {
  if (responses === undefined) return '';
  if (responses.respondedAt.size === 0) return ': the server has not responded to any request on this stream';
  if (others.length === 0 || responses.respondedAt.size > others.length) return '';
  const isOnlyFirst =
    others.length === 1 && responses.firstType !== undefined && responses.respondedAt.has(responses.firstType);
  return isOnlyFirst
    ? `, although the server responded to the first request, for ${others[0]}`
    : `, although the server responds for ${others.join(', ')}`;
}

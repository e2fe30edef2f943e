import { formatMillis } from '../../base/duration.js';
import type { StreamId } from '../../core/input.js';
import { shortType } from '../../proto/resource-types.js';
import { listed } from '../message-text.js';
import type { Report, Rule } from '../rule.js';

/** What the server of a client has said on its stream. */
interface StreamResponses {
  stream: StreamId;
  /** The type of the first request, which alone says who asks. */
  first: string | undefined;
  /** When each type was last answered. */
  answeredAt: Map<string, number>;
  waitMs: number;
}

interface Overdue {
  at: number;
  scope: string;
  server: string;
  typeUrl: string;
  names: string[];
  count: number;
  /** On the stream as it was, which may end in the same step. */
  talk: StreamResponses | undefined;
}

const MAX_NAMES = 20;

/** Names that were waited for in vain, while nothing at all came of their type. */
export function missingResponse(report: Report): Rule {
  const talks = new Map<string, StreamResponses>();
  let overdue = new Map<string, Overdue>();

  const talkOf = (scope: string, server: string): StreamResponses | undefined => talks.get(`${scope} ${server}`);

  function judge({ at, scope, server, typeUrl, names, count, talk }: Overdue): void {
    const waitMs = talk?.waitMs ?? 0;
    if ((talk?.answeredAt.get(typeUrl) ?? Number.NEGATIVE_INFINITY) >= at - waitMs) return;
    const others = [...(talk?.answeredAt.keys() ?? [])].filter((type) => type !== typeUrl).map(shortType);
    const what = `${shortType(typeUrl)} ${listed(names, count)} for ${formatMillis(waitMs)}`;
    const who = { at, scope, server, typeUrl, names };
    // Once a type has been answered, silence about more of it may just mean that there is no more.
    if (count > 1 && others.length > 0 && talk?.answeredAt.has(typeUrl) !== true) {
      const message = `No answer for any of ${what}, though the server answers ${others.join(', ')}`;
      report({ ...who, code: 'XI202', message });
      return;
    }
    report({ ...who, code: 'XI201', message: `No answer to the request for ${what}${answered(talk, others)}` });
  }

  return {
    request({ scope, server, typeUrl }) {
      const talk = talkOf(scope, server);
      if (talk !== undefined) talk.first ??= typeUrl;
    },
    stream({ scope, server, stream, change }) {
      const key = `${scope} ${server}`;
      if (change === 'opened') talks.set(key, { stream, first: undefined, answeredAt: new Map(), waitMs: 0 });
      else talks.delete(key);
    },
    response({ at, scope, server, typeUrl }) {
      talkOf(scope, server)?.answeredAt.set(typeUrl, at);
    },
    timer({ at, scope, server, typeUrl, names, change, milliseconds }) {
      const talk = talkOf(scope, server);
      if (change === 'started') {
        if (talk !== undefined) talk.waitMs = milliseconds ?? 0;
        return;
      }
      const key = `${scope} ${server} ${typeUrl}`;
      const group = overdue.get(key) ?? { at, scope, server, typeUrl, names: [], count: 0, talk };
      overdue.set(key, group);
      group.count += names.length;
      for (const name of names) if (group.names.length < MAX_NAMES) group.names.push(name);
    },
    endStep() {
      if (overdue.size === 0) return;
      for (const group of overdue.values()) judge(group);
      overdue = new Map();
    },
  };
}

/** What the server does answer, which says something about why it is silent. */
function answered(talk: StreamResponses | undefined, others: readonly string[]): string {
  if (talk === undefined) return '';
  if (talk.answeredAt.size === 0) return ': the server has answered nothing on this stream';
  if (others.length === 0 || talk.answeredAt.size > others.length) return '';
  const isOnlyFirst = others.length === 1 && talk.first !== undefined && talk.answeredAt.has(talk.first);
  return isOnlyFirst
    ? `, though the server has answered the first request, for ${others[0]}`
    : `, though the server answers ${others.join(', ')}`;
}

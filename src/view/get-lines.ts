import { connectionHint } from '../base/connection-hint.js';
import { firstFew } from '../base/count-text.js';
import { statusCode, statusName } from '../base/status.js';
import type { Fetch } from '../engine/get/fetch.js';
import type { News } from '../engine/get/holdings.js';
import type { ServerFailure } from '../engine/get/subscription.js';
import { visibleShort } from './visible-text.js';

/** What a person should hear of a piece of news beside the data: what gRPC rejects, errors, removals. */
export function newsLines(news: News): string[] {
  if (news.kind === 'removed') return [`${nameText(news.name)}: removed`];
  if (news.kind === 'error') {
    const { name, status, server } = news;
    const what = status === undefined ? 'an error without a status' : `${statusName(status.code)}: ${status.message}`;
    return [`${nameText(name)}: ${visibleShort(server)} says ${visibleShort(what)}`];
  }
  const { name, problems } = news.received;
  return problems.map(
    ({ path, message }) =>
      `${nameText(name)}: gRPC rejects it: ${visibleShort(path === '' ? message : `${path}: ${message}`)}`,
  );
}

/** Why a server was given up. */
export function failureLine({ server, kind, reason, status }: ServerFailure): string {
  const where = visibleShort(server);
  if (kind === 'connection') {
    const hint = connectionHint(reason);
    return `${where} cannot be reached: ${hint === undefined ? '' : `${hint} · `}${visibleShort(reason)}`;
  }
  const code = status?.code ?? statusCode('UNKNOWN');
  const hint = code === statusCode('UNIMPLEMENTED') ? ' · it does not serve ADS' : '';
  return `${where} ended the stream without an answer: ${`${statusName(code)} ${visibleShort(reason)}`.trimEnd()}${hint}`;
}

/** What was waited for in vain; `after` says how long, such as `in time`. */
export function missingLines({ unanswered, silent }: Fetch, after: string): string[] {
  if (unanswered.length > 0) {
    return unanswered.map(({ name, server, hasResponse }) => {
      const others = hasResponse ? `; ${visibleShort(server)} answered without it` : ` from ${visibleShort(server)}`;
      return `${nameText(name)}: no answer ${after}${others}`;
    });
  }
  if (silent.length === 0) return ['the answers were still changing when the time was over'];
  return silent.map(({ server, names }) => {
    const instead =
      names.length === 0 ? 'if names are given, or the name "*"' : 'if names of resources are given, or none';
    return `${visibleShort(server)}: no answer ${after}; some servers answer only ${instead}`;
  });
}

function nameText(name: string): string {
  return visibleShort(name) || '(no name)';
}

/** For a progress line. */
export function waitingText({ missing, server }: Fetch): string {
  const names = firstFew(missing, 3, visibleShort);
  return `waiting for ${names === '' ? 'everything' : names} from ${visibleShort(server)}`;
}

import { connectionHint } from '../base/connection-hint.js';
import { firstFew } from '../base/count-text.js';
import { statusCode, statusName } from '../base/status.js';
import type { Fetch } from '../engine/get/fetch.js';
import type { ResourceSetChange } from '../engine/get/resource-set.js';
import type { ServerFailure } from '../engine/get/subscription.js';
import { resourcesText } from '../proto/find-resource-type.js';
import { visibleShort } from './visible-text.js';

/**
 * What a person should hear of a piece of news beside the data: what gRPC rejects, errors, removals. `type` stands before
 * the name where there are several types, and is empty otherwise.
 */
export function resourceChangeLines(change: ResourceSetChange, type: string): string[] {
  if (change.kind === 'removed') return [`${nameText(change.name, type)}: removed`];
  if (change.kind === 'error') {
    const { name, status, server } = change;
    const what = status === undefined ? 'an error without a status' : `${statusName(status.code)}: ${status.message}`;
    return [`${nameText(name, type)}: ${visibleShort(server)} says ${visibleShort(what)}`];
  }
  const { name, problems } = change.received;
  return problems.map(
    ({ path, message }) =>
      `${nameText(name, type)}: gRPC rejects it: ${visibleShort(path === '' ? message : `${path}: ${message}`)}`,
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

/** What was waited for in vain; `after` says how long, such as `in time`, and `hint` what helps where nothing came. */
export function missingLines({ unanswered, silent }: Fetch, after: string, type: string, hint = ''): string[] {
  if (unanswered.length > 0) {
    return unanswered.map(({ name, server, hasResponse }) => {
      const others = hasResponse ? `; ${visibleShort(server)} answered without it` : ` from ${visibleShort(server)}`;
      return `${nameText(name, type)}: no answer ${after}${others}`;
    });
  }
  const head = type === '' ? '' : `${type}: `;
  if (silent.length === 0) return [`${head}the answers were still changing when the time was over`];
  return silent.map(({ server, names }) => {
    const instead =
      names.length === 0 ? 'if names are given, or the name "*"' : 'if names of resources are given, or none';
    return `${head}${visibleShort(server)}: no answer ${after}; some servers answer only ${instead}${hint}`;
  });
}

/** `no clusters, version 6`: the control plane answered, and has none. */
export function emptyLine(short: string, version: string | undefined): string {
  const none = `no ${visibleShort(resourcesText(short))}`;
  return version === undefined || version === '' ? none : `${none}, version ${visibleShort(version)}`;
}

function nameText(name: string, type: string): string {
  return `${type === '' ? '' : `${type} `}${visibleShort(name) || '(no name)'}`;
}

/** For a progress line. */
export function waitingText(open: readonly Fetch[]): string {
  const names = firstFew(
    open.flatMap(({ missing }) => missing),
    3,
    visibleShort,
  );
  return `waiting for ${names === '' ? 'everything' : names} from ${visibleShort(open[0]?.server ?? 'the server')}`;
}

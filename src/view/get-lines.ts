import { connectionHint } from '../base/connection-hint.js';
import { countText, firstFew } from '../base/count-text.js';
import { overLimitText } from '../base/limits.js';
import { statusCode, statusName } from '../base/status.js';
import type { Fetch } from '../engine/get/fetch.js';
import type { ResourceSetChange } from '../engine/get/resource-set.js';
import type { ServerFailure } from '../engine/get/subscription.js';
import { resourcesText } from '../proto/find-resource-type.js';
import { visibleShort } from './visible-text.js';

/**
 * The lines on stderr about a change: resources that gRPC rejects, errors, removals. `type` is printed before the name; it
 * is empty if there is only one type.
 */
export function resourceChangeLines(change: ResourceSetChange, type: string): string[] {
  if (change.kind === 'removed') return [`${nameText(change.name, type)}: removed`];
  if (change.kind === 'error') {
    const { name, status, server } = change;
    const what = status === undefined ? 'an error without a status' : `${statusName(status.code)}: ${status.message}`;
    return [`${nameText(name, type)}: ${visibleShort(server)} reported ${visibleShort(what)}`];
  }
  const { name, problems } = change.received;
  return problems.map(
    ({ path, message }) =>
      `${nameText(name, type)}: gRPC rejects it: ${visibleShort(path === '' ? message : `${path}: ${message}`)}`,
  );
}

/** The parts of a response that were too many to keep. */
export function omittedLines({ resources, errors }: Fetch['omitted'], type: string): string[] {
  const head = type === '' ? '' : `${type}: `;
  return [
    ...(resources > 0 ? [`${head}${countText(resources, 'more resource')} of a few bytes each: not kept`] : []),
    ...(errors > 0 ? [`${head}${countText(errors, 'more reported error')}: not kept`] : []),
  ];
}

/** The reason why `get` stopped using a server. */
export function failureLine({ server, kind, reason, status }: ServerFailure): string {
  const where = visibleShort(server);
  if (kind === 'connection') {
    const hint = connectionHint(reason);
    return `${where} cannot be reached: ${hint === undefined ? '' : `${hint} · `}${visibleShort(reason)}`;
  }
  const code = status?.code ?? statusCode('UNKNOWN');
  const tooLarge = overLimitText(reason);
  if (tooLarge !== undefined)
    return `${where} sends ${tooLarge}: split it, or request fewer names · ${visibleShort(reason)}`;
  const hint = code === statusCode('UNIMPLEMENTED') ? ' · it does not serve ADS' : '';
  return `${where} ended the stream without a response: ${`${statusName(code)} ${visibleShort(reason)}`.trimEnd()}${hint}`;
}

/** The missing responses. `after` is the waiting time, such as `in time`; `hint` is advice for a silent server. */
export function missingLines({ unanswered, silent }: Fetch, after: string, type: string, hint = ''): string[] {
  if (unanswered.length > 0) {
    return unanswered.map(({ name, server, hasResponse }) => {
      const others = hasResponse ? `; ${visibleShort(server)} responded without it` : ` from ${visibleShort(server)}`;
      return `${nameText(name, type)}: no response ${after}${others}`;
    });
  }
  const head = type === '' ? '' : `${type}: `;
  if (silent.length === 0) return [`${head}timed out while responses were still changing`];
  return silent.map(({ server, names }) => {
    const instead =
      names.length === 0
        ? 'to requests with resource names, or with "*"'
        : 'to requests with resource names, or without';
    return `${head}${visibleShort(server)}: no response ${after}; some servers respond only ${instead}${hint}`;
  });
}

/** `no clusters, version 6`: the response of the control plane was empty. */
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
  return `waiting for ${names === '' ? 'all resources' : names} from ${visibleShort(open[0]?.server ?? 'the server')}`;
}

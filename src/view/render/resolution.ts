import { formatMillis } from '../../base/duration.js';
import { OLD_STYLE } from '../../base/xds-name.js';
import type { ResolveDocument, ServerDescription } from '../documents.js';
import { visible } from '../visible-text.js';

/** The chain from a target to the servers that are asked, for people. */
export function resolutionText(document: ResolveDocument): string {
  const { target, source, error } = document;
  if (error !== null)
    return `${visible(target)}: gRPC cannot use this target with ${visible(source)}\n  ${error.code}: ${visible(error.message)}\n`;
  const { template, listener, scope, dataPlaneAuthority, serversFrom, authority, servers } = document;
  const lines = [
    `${visible(target)} with ${visible(source)}`,
    `  listener    ${visible(listener)}`,
    `  template    ${visible(template.text)}  (${visible(template.from)})`,
    `  scope       ${visible(scope)}`,
    ...(dataPlaneAuthority === '' ? [] : [`  authority   ${visible(dataPlaneAuthority)}  (picks the virtual host)`]),
    `  servers     ${visible(serversFrom)}${authority === OLD_STYLE ? '' : `, for the xDS authority "${visible(authority)}"`}`,
    ...servers.flatMap(serverLines),
  ];
  return `${lines.join('\n')}\n`;
}

function serverLines({ uri, priority, creds, callCreds, features, behaviour }: ServerDescription): string[] {
  const role =
    priority === 0
      ? 'asked first'
      : `fallback ${priority}: asked while something is missing and those before cannot be reached`;
  const credentials = [creds, ...callCreds].join(' + ');
  const onTimer =
    behaviour.onTimer === 'timeout' ? 'the server counts as too slow (UNAVAILABLE)' : 'it is taken not to exist';
  return [
    `    ${visible(uri)}  ${credentials}${features.length === 0 ? '' : `  [${features.join(', ')}]`}  ${role}`,
    `      a resource that has not come after ${formatMillis(behaviour.resourceTimerMs)}: ${onTimer}`,
    `      a bad update: the version in use is ${behaviour.onDataError}; a listener or cluster that is gone: ${behaviour.onDeletion}`,
    ...(behaviour.trusted ? ['      trusted: may rewrite host names and name credentials'] : []),
  ];
}

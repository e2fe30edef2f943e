import { formatMillis } from '../../base/duration.js';
import { OLD_STYLE } from '../../base/xds-name.js';
import type { ResolveDocument, ServerDescription } from '../documents.js';
import { visible } from '../visible-text.js';

/** How a target resolves to a listener and its servers. */
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
    ...(dataPlaneAuthority === '' ? [] : [`  authority   ${visible(dataPlaneAuthority)}  (selects the virtual host)`]),
    `  servers     ${visible(serversFrom)}${authority === OLD_STYLE ? '' : `, for the xDS authority "${visible(authority)}"`}`,
    ...servers.flatMap(serverLines),
  ];
  return `${lines.join('\n')}\n`;
}

function serverLines({ uri, priority, creds, callCreds, features, behaviour }: ServerDescription): string[] {
  const role =
    priority === 0
      ? 'primary'
      : `fallback ${priority}: used while a resource is missing and the servers before it are unreachable`;
  const credentials = [creds, ...callCreds].join(' + ');
  const onTimer = behaviour.onTimer === 'timeout' ? 'transient error (UNAVAILABLE)' : 'the resource does not exist';
  return [
    `    ${visible(uri)}  ${credentials}${features.length === 0 ? '' : `  [${features.join(', ')}]`}  ${role}`,
    `      after the resource timer (${formatMillis(behaviour.resourceTimerMs)}): ${onTimer}`,
    `      data error: the cached version is ${behaviour.onDataError}; deleted listener or cluster: ${behaviour.onDeletion}`,
    ...(behaviour.trusted ? ['      trusted: may rewrite the authority and select credentials'] : []),
  ];
}

import { formatMillis } from '../base/duration.js';
import { OLD_STYLE } from '../base/xds-name.js';
import type { ServerBehaviour } from '../bootstrap/behaviour.js';
import type { Resolution } from '../bootstrap/target.js';
import { visible } from './visible-text.js';

/** A server as `bootstrap resolve` shows it. */
export interface ServerDescription {
  uri: string;
  priority: number;
  creds: string;
  callCreds: string[];
  features: string[];
  behaviour: ServerBehaviour;
}

type Shown = { target: string; source: string } & (
  | { error: { code: string; message: string } }
  | { resolution: Resolution; servers: ServerDescription[] }
);

/** The chain from a target to the servers that are asked, for people. */
export function resolutionText(shown: Shown): string {
  if ('error' in shown)
    return `${visible(shown.target)}: gRPC cannot use this target with ${visible(shown.source)}\n  ${shown.error.code}: ${visible(shown.error.message)}\n`;
  const { resolution, servers } = shown;
  const { template } = resolution;
  const lines = [
    `${visible(shown.target)} with ${visible(shown.source)}`,
    `  listener    ${visible(resolution.listener)}`,
    `  template    ${visible(template.text)}  (${visible(template.from)})`,
    `  scope       ${visible(resolution.scope)}`,
    ...(resolution.dataPlaneAuthority === ''
      ? []
      : [`  authority   ${visible(resolution.dataPlaneAuthority)}  (picks the virtual host)`]),
    `  servers     ${visible(resolution.serversFrom)}${resolution.xdsAuthority === OLD_STYLE ? '' : `, for the xDS authority "${visible(resolution.xdsAuthority)}"`}`,
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

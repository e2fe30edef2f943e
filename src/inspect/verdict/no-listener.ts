import type { LastResponse } from './facts.js';
import { likelyName } from './likely-name.js';
import { moreText, nodeText, versionText } from './phrases.js';
import type { Cause, TargetCase } from './verdict.js';

/** The last LDS response of a control plane, and the names that it sent for a wildcard subscription. */
interface KnownListeners {
  response: LastResponse | undefined;
  listed: readonly string[] | undefined;
}

/** The listeners that a control plane serves. */
export interface ServedListeners {
  /** At most `MAX_NAMES`, the likeliest first. */
  names: readonly string[];
  count: number;
}

const MAX_NAMES = 20;

/** A server that lists other listeners is not silent: it does not respond to names that it does not have. */
export function listsOthersOnly(listed: readonly string[] | undefined, name: string): boolean {
  return listed !== undefined && listed.length > 0 && !listed.includes(name);
}

/** `no listener "inventory"; the control plane serves "inventory.prod:443" (and 11 more)` */
export function noListener(
  one: TargetCase,
  name: string,
  server: string,
  known: KnownListeners,
): Pick<Cause, 'message' | 'advice'> {
  const { response, listed } = known;
  const version = response === undefined ? '' : `: ${server} answered${versionText(response.version)} without it`;
  if (listed?.includes(name)) {
    return {
      message: `no listener "${name}"${version}, but sends it for a wildcard subscription`,
      advice: `Check the log of the control plane: it sends the listener to ${nodeText(one.nodeId)} for a wildcard subscription, but not by name.`,
    };
  }
  const { names, count } = listsOthersOnly(listed, name) ? served(listed ?? [], name) : (response ?? served([], name));
  const other = likelyName(name, names) ?? names.find((one) => one !== '');
  const instead = `; the control plane serves "${other}"${moreText(count - 1)}`;
  return {
    message: `no listener "${name}"${other === undefined ? version : instead}`,
    advice: adviceFor(one, name, names),
  };
}

/** The listeners that the control plane listed for a target whose listener is missing. */
export function servedListeners({ scope, channel, facts }: TargetCase, cause: Cause | null): ServedListeners | null {
  if (cause === null || cause.resource?.type !== 'LDS' || cause.server === null) return null;
  const listed = facts.listeners(scope.scope, cause.server);
  return listed === undefined ? null : served(listed, channel.listener);
}

function served(listed: readonly string[], name: string): ServedListeners {
  const likely = listed.includes(name) ? name : likelyName(name, listed);
  const names = likely === undefined ? listed : [likely, ...listed.filter((one) => one !== likely)];
  return { names: names.slice(0, MAX_NAMES), count: listed.length };
}

/** The most likely mistake is a wrong name in the target, so the advice starts with the name to dial. */
function adviceFor({ channel, nodeId }: TargetCase, name: string, names: readonly string[]): string {
  const serve = `serve a listener named "${name}" to ${nodeText(nodeId)}`;
  if (channel.authority === undefined) {
    return `Correct server_listener_resource_name_template in the bootstrap, or ${serve}.`;
  }
  const other = likelyName(name, names);
  const dial = other === undefined ? undefined : targetOf(channel.target, name, other);
  return `${dial === undefined ? 'Dial the name of a listener that exists' : `Dial ${dial}`}, or ${serve}.`;
}

/** The target that resolves to another listener, if the name in the target is part of the listener's name. */
function targetOf(target: string, listener: string, other: string): string | undefined {
  const name = /^[^/]*\/\/[^/]*\/(.+)$/s.exec(target)?.[1] ?? target;
  const at = listener.lastIndexOf(name);
  if (at < 0) return undefined;
  const before = listener.slice(0, at);
  const after = listener.slice(at + name.length);
  if (!other.startsWith(before) || !other.endsWith(after) || other.length <= before.length + after.length)
    return undefined;
  return `${target.slice(0, target.length - name.length)}${other.slice(before.length, other.length - after.length)}`;
}

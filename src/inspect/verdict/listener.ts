import { nearest } from '../../base/nearest.js';
import type { Case } from './verdict.js';
import { moreText, nodeText } from './words.js';

/** What is known of the listeners of a control plane. */
interface Served {
  names: readonly string[];
  count: number;
  version: string | undefined;
}

/** `no listener "inventory"; the control plane serves "inventory.prod:443" (and 11 more)` */
export function noListenerText(name: string, server: string, { names, count, version }: Served): string {
  const other = likeliest(name, names) ?? names.find((one) => one !== '');
  if (other !== undefined) return `no listener "${name}"; the control plane serves "${other}"${moreText(count - 1)}`;
  const answered = version === undefined ? 'serves no listener' : `answered version ${version} without it`;
  return `no listener "${name}": ${server} ${answered}`;
}

/** A wrong name is not the fault of the control plane: the name that it serves comes first. */
export function listenerAdvice({ channel, nodeId }: Case, name: string, names: readonly string[]): string {
  const serve = `serve a listener named "${name}" to ${nodeText(nodeId)}`;
  if (channel.authority === undefined) {
    return `Correct server_listener_resource_name_template in the bootstrap, or ${serve}.`;
  }
  const other = likeliest(name, names);
  const dial = other === undefined ? undefined : targetOf(channel.target, name, other);
  return `${dial === undefined ? 'Dial the name of a listener that exists' : `Dial ${dial}`}, or ${serve}.`;
}

/** A name that contains the other, or is spelled nearly so. */
function likeliest(name: string, names: readonly string[]): string | undefined {
  const bare = name.replace(/:\d+$/, '');
  return names.find((one) => bare !== '' && one.includes(bare)) ?? nearest(name, names);
}

/** The target that leads to another listener, if the name in the target is part of the listener's name. */
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

import { serverAddress } from '../../bootstrap/target.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { SeenTarget } from '../seen.js';
import type { Verdict } from './verdict.js';

/** What to do about a listener that does not exist; undefined where something else is the cause. */
export function listenerAdvice(
  { cause, listed, target }: Pick<Verdict, 'cause' | 'listed' | 'target'>,
  { scope, channel: { listener }, nodeId }: SeenTarget,
): string | undefined {
  const exists = scope.entry(RESOURCE_TYPES.LDS, listener)?.resource !== undefined;
  if (cause?.code !== 'no-listener' || exists) return undefined;
  const node = nodeId === undefined || nodeId === '' ? 'this node' : `node "${nodeId}"`;
  const serve = `serve a listener named "${listener}" to ${node}`;
  if (serverAddress(target) !== undefined)
    return `${capital(serve)}, or correct server_listener_resource_name_template in the bootstrap.`;
  const likely = listed?.likely ?? null;
  if (likely?.name === listener)
    return `The control plane lists "${listener}", but does not send it when a client subscribes to it by name.`;
  if (likely !== null && likely.target !== null) return `Dial ${likely.target}, or ${serve}.`;
  if (listed !== null && listed.count > 0) return `Dial a name that the control plane serves, or ${serve}.`;
  return `${capital(serve)}, or dial the name of one that exists.`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

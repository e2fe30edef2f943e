import { sameBytes } from '../base/bytes.js';
import { Listener } from '../proto/generated/envoy.config.listener.v3.js';
import { decode } from '../proto/message-type.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';

/**
 * Whether grpc-js-xds ignores an update, because it compares the decoded messages. Of the connection manager of a
 * listener, which stays encoded there, it compares only as many bytes as the cached one has.
 */
export function sameEncoding(typeUrl: string, cached: Uint8Array, update: Uint8Array): boolean {
  if (sameBytes(cached, update)) return true;
  if (typeUrl !== RESOURCE_TYPES.LDS) return false;
  const [before, now] = [decode(Listener, cached), decode(Listener, update)];
  if (!before.ok || !now.ok || before.value.name !== now.value.name) return false;
  const [a, b] = [before.value.apiListener?.apiListener, now.value.apiListener?.apiListener];
  if (a === undefined || b === undefined || a.typeUrl !== b.typeUrl) return false;
  return b.value.length > a.value.length && sameBytes(a.value, b.value.subarray(0, a.value.length));
}

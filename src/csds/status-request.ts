import { ClientStatusRequest } from '../proto/generated/envoy.service.status.v3.js';
import { NodeMatcher, StringMatcher } from '../proto/generated/envoy.type.matcher.v3.js';
import { encode } from '../proto/message-type.js';

/** Encodes a request for all clients or, from a control plane, for the clients with these node ids. */
export function statusRequest(nodeIds: readonly string[]): Uint8Array {
  const nodeMatchers = nodeIds.map((id) =>
    NodeMatcher.create({ nodeId: StringMatcher.create({ matchPattern: { kind: 'exact', value: id } }) }),
  );
  return encode(ClientStatusRequest, ClientStatusRequest.create({ nodeMatchers }));
}

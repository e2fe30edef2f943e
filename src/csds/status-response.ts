import { type Status, statusCode } from '../base/status.js';
import type { Policies } from '../bootstrap/policies.js';
import { ClientStatusRequest, ClientStatusResponse } from '../proto/generated/envoy.service.status.v3.js';
import { decode, encode } from '../proto/message-type.js';
import { type CsdsClientState, clientStatus } from './client-status.js';

const invalidArgument = (message: string): Status => ({ code: statusCode('INVALID_ARGUMENT'), message });

/** D21: responds to a CSDS request with a ClientStatusResponse, or with the status of the RPC. */
export function respondToStatusRequest(
  request: Uint8Array,
  clients: readonly CsdsClientState[],
  policies: Policies,
): Uint8Array | Status {
  const decoded = decode(ClientStatusRequest, request);
  if (!decoded.ok) return invalidArgument(`not a ClientStatusRequest: ${decoded.reason} at byte ${decoded.offset}`);
  // R8.2, R8.3: C-core ignores all fields of the request.
  const { nodeMatchers, excludeResourceContents } = policies.honorStatusRequests
    ? decoded.value
    : ClientStatusRequest.create();
  if (nodeMatchers.length > 0)
    return invalidArgument('node_matchers are not supported: this is an xDS client, which has one node');
  return encode(ClientStatusResponse, clientStatus(clients, { policies, excludeContents: excludeResourceContents }));
}

import { type Status, statusCode } from '../base/status.js';
import type { Policies } from '../bootstrap/policies.js';
import { ClientStatusRequest, ClientStatusResponse } from '../proto/generated/envoy.service.status.v3.js';
import { decode, encode } from '../proto/message-type.js';
import { type CsdsClientState, clientStatus } from './client-status.js';

const refusal = (message: string): Status => ({ code: statusCode('INVALID_ARGUMENT'), message });

/** D21: what a CSDS request gets: a ClientStatusResponse, or the status that the call ends with. */
export function respondToStatusRequest(
  request: Uint8Array,
  clients: readonly CsdsClientState[],
  policies: Policies,
): Uint8Array | Status {
  const decoded = decode(ClientStatusRequest, request);
  if (!decoded.ok) return refusal(`not a ClientStatusRequest: ${decoded.reason} at byte ${decoded.offset}`);
  // R8.2, R8.3: C-core looks at none of its fields.
  const { nodeMatchers, excludeResourceContents } = policies.honorStatusRequests
    ? decoded.value
    : ClientStatusRequest.create();
  if (nodeMatchers.length > 0)
    return refusal('node_matchers are not supported: this is a client, and it knows one node');
  return encode(ClientStatusResponse, clientStatus(clients, { policies, excludesContents: excludeResourceContents }));
}

import type { Status } from '../base/status.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import { DiscoveryRequest } from '../proto/generated/envoy.service.discovery.v3.js';
import { Status as RpcStatus } from '../proto/generated/google.rpc.js';
import { encode } from '../proto/message-type.js';

/** What a request says; the names are always the same. */
export interface Request {
  typeUrl: string;
  names: readonly string[];
  version: string;
  nonce: string;
  error: Status | undefined;
}

/** The node goes with the first request of a stream only (R1.6). */
export function requestBytes({ typeUrl, names, version, nonce, error }: Request, node: Node | undefined): Uint8Array {
  return encode(
    DiscoveryRequest,
    DiscoveryRequest.create({
      typeUrl,
      resourceNames: names,
      versionInfo: version,
      responseNonce: nonce,
      errorDetail: error && RpcStatus.create(error),
      node,
    }),
  );
}

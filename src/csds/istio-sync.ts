import { joinBytes } from '../base/bytes.js';
import { Node } from '../proto/generated/envoy.config.core.v3.js';
import { DiscoveryRequest, DiscoveryResponse } from '../proto/generated/envoy.service.discovery.v3.js';
import { ClientConfig, ClientStatusResponse } from '../proto/generated/envoy.service.status.v3.js';
import { Struct, Value } from '../proto/generated/google.protobuf.js';
import { typeNameOf } from '../proto/json/type-name.js';
import { decode, encode } from '../proto/message-type.js';
import type { CsdsResponse } from './csds-client.js';

/** The type URL by which istiod reports, over ADS, whether its proxies have what it sent. */
const SYNC_TYPE = 'istio.io/debug/syncz';

/** istiod requires an id of this form. Without a namespace it accepts the identity of any namespace. */
const NODE_ID = 'sidecar~127.0.0.1~xds-inspect~local';

/** A request for the state of all proxies. istiod sends one response to each request, and needs no ACK. */
export function syncRequest(): Uint8Array {
  const generator = Value.create({ kind: { kind: 'stringValue', value: 'event' } });
  const metadata = Struct.create({ fields: new Map([['GENERATOR', generator]]) });
  const node = Node.create({ id: NODE_ID, metadata });
  return encode(DiscoveryRequest, DiscoveryRequest.create({ typeUrl: SYNC_TYPE, node }));
}

/** Converts the response of istiod to one of CSDS: both contain a ClientConfig for each proxy. */
export function syncAsClientStatus(bytes: Uint8Array, nodeIds: readonly string[]): CsdsResponse {
  const decoded = decode(DiscoveryResponse, bytes);
  if (!decoded.ok) return { failure: { code: 13, message: `the response is malformed: ${decoded.reason}` } };
  const { typeUrl, resources } = decoded.value;
  if (typeUrl !== SYNC_TYPE) {
    return { failure: { code: 12, message: `it responded with ${typeUrl || 'no type'} instead of ${SYNC_TYPE}` } };
  }
  const parts = [...resources].flatMap((one) => {
    if (typeNameOf(one.typeUrl) !== ClientConfig.typeName || !hasNode(one.value, nodeIds)) return [];
    return [lengthDelimited(one.value)];
  });
  return { bytes: joinBytes(parts) };
}

function hasNode(config: Uint8Array, nodeIds: readonly string[]): boolean {
  if (nodeIds.length === 0) return true;
  const decoded = decode(ClientConfig, config);
  return decoded.ok && nodeIds.includes(decoded.value.node?.id ?? '');
}

/** The field `config` of a ClientStatusResponse, with the bytes as they were received. */
function lengthDelimited(config: Uint8Array): Uint8Array {
  const head = [CONFIG_TAG];
  let length = config.length;
  for (; length > 0x7f; length >>>= 7) head.push((length & 0x7f) | 0x80);
  head.push(length);
  return joinBytes([new Uint8Array(head), config]);
}

const CONFIG_TAG = encode(ClientStatusResponse, { config: [ClientConfig.create()] })[0] as number;

import type { Any } from '../../proto/generated/google.protobuf.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { decodeAsProtobufJs } from './protobufjs-message.js';
import { ThrownError } from './thrown-error.js';

/** Types in the .proto files of the ADS service. proto-loader decodes them in a response, because it converts Anys to JSON. */
const DECODED_TYPES = new Set([
  ...['DiscoveryRequest', 'DiscoveryResponse', 'Resource', 'ResourceLocator', 'ResourceName'].map(
    (name) => `envoy.service.discovery.v3.${name}`,
  ),
  ...['Address', 'BindConfig', 'CidrRange', 'ControlPlane', 'DataSource', 'HeaderValue', 'HttpUri', 'KeyValue'].map(
    (name) => `envoy.config.core.v3.${name}`,
  ),
  ...['Locality', 'Metadata', 'Node', 'SocketAddress', 'TransportSocket', 'TypedExtensionConfig'].map(
    (name) => `envoy.config.core.v3.${name}`,
  ),
  ...['Any', 'BoolValue', 'BytesValue', 'DoubleValue', 'Duration', 'FloatValue', 'Int32Value', 'Int64Value'].map(
    (name) => `google.protobuf.${name}`,
  ),
  ...['ListValue', 'StringValue', 'Struct', 'Timestamp', 'UInt32Value', 'UInt64Value', 'Value'].map(
    (name) => `google.protobuf.${name}`,
  ),
  ...['envoy.type.v3.FractionalPercent', 'envoy.type.v3.Percent', 'google.rpc.Status', 'xds.core.v3.ContextParams'],
]);

/**
 * The type URL of a resource as the client sees it: "undefined" for the types that proto-loader decodes, above all `Resource`
 * wrappers. Throws if such a part cannot be decoded: then the stream ends.
 */
export function receivedTypeUrl({ typeUrl, value }: Any): string {
  const typeName = typeNameOf(typeUrl);
  if (!DECODED_TYPES.has(typeName)) return typeUrl;
  decodeAsProtobufJs(typeName, value);
  return 'undefined';
}

/** Whether the stream ends because of this part of a response. */
export function endsStream(any: Any): boolean {
  try {
    receivedTypeUrl(any);
    return false;
  } catch (error) {
    if (error instanceof ThrownError) return true;
    throw error;
  }
}

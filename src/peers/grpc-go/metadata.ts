import type { MessageView } from '../message-view.js';
import { hasUrlOf, typeUrlOf, unmarshalTo } from './any.js';
import type { GoContext } from './go-context.js';
import { quoted } from './go-text.js';
import { parseAddress } from './netip.js';
import { reject, within } from './rejection.js';

const ADDRESS = 'envoy.config.core.v3.Address';
const AUDIENCE = 'envoy.extensions.filters.http.gcp_authn.v3.Audience';

/** Validates the metadata of a cluster, locality or endpoint, of which grpc-go reads some types. */
export function validateMetadata(metadata: MessageView | undefined, { switches }: GoContext): void {
  for (const [key, any] of metadata?.messageEntries('typed_filter_metadata') ?? [])
    within(
      (error) => `metadata conversion for key ${quoted(key)} and type ${quoted(typeUrlOf(any))} failed: ${error}`,
      () => {
        if (switches.httpConnect && hasUrlOf(any, ADDRESS)) validateProxyAddress(any);
        if (switches.gcpAuthentication && hasUrlOf(any, AUDIENCE)) validateAudience(any);
      },
    );
}

function validateProxyAddress(any: MessageView): void {
  const address = unmarshalTo(ADDRESS, any, (error) => `failed to unmarshal resource from Any proto: ${error}`);
  const socket = address.message('socket_address');
  if (socket === undefined) reject(address, 'no socket_address field in metadata');
  const text = socket.text('address');
  if (typeof parseAddress(text) === 'string')
    reject(socket, `address field is not a valid IPv4 or IPv6 address: ${quoted(text)}`, 'address');
  if (socket.number('port_value') === 0) reject(socket, 'port value not set in socket_address', 'port_value');
}

function validateAudience(any: MessageView): void {
  const failure = (error: string): string =>
    `failed to unmarshal the envoy.extensions.filters.http.gcp_authn.v3.Audience resource from Any proto: ${error}`;
  const audience = unmarshalTo(AUDIENCE, any, failure);
  if (audience.text('url') === '') reject(audience, 'empty url field in audience metadata', 'url');
}

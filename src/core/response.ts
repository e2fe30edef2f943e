import type { Status } from '../base/status.js';
import { DiscoveryResponse, Resource } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { decode } from '../proto/message-type.js';
import { resourceName } from '../proto/resource-name.js';

/** A response as the protocol sees it, before anyone judges the resources in it. */
export interface ReceivedResponse {
  typeUrl: string;
  version: string;
  nonce: string;
  errors: { name: string; status: Status | undefined }[];
  /** The whole message; undefined where it is undecodable. */
  message: DiscoveryResponse | undefined;
  /** D1: a message that is undecodable or of a type never asked for is passed over, without ACK or NACK. */
  ignored: string | undefined;
}

/** Reads the envelope of a DiscoveryResponse. */
export function readResponse(bytes: Uint8Array, isKnownType: (typeUrl: string) => boolean): ReceivedResponse {
  const decoded = decode(DiscoveryResponse, bytes);
  if (!decoded.ok) {
    const ignored = `not a DiscoveryResponse: ${decoded.reason} at byte ${decoded.offset}`;
    return { typeUrl: '', version: '', nonce: '', errors: [], message: undefined, ignored };
  }
  const { versionInfo, nonce, resourceErrors } = decoded.value;
  const typeUrl = withHost(decoded.value.typeUrl);
  return {
    typeUrl,
    version: versionInfo,
    nonce,
    errors: resourceErrors.map((e) => ({
      name: e.resourceName?.name ?? '',
      status: e.errorDetail && { code: e.errorDetail.code, message: e.errorDetail.message },
    })),
    message: { ...decoded.value, typeUrl },
    ignored: isKnownType(typeUrl) ? undefined : 'of a type that was never asked for',
  };
}

/** What the resources of a message are called, as far as that is not known; '' where it cannot be told. */
export function namesIn(message: DiscoveryResponse | undefined, known: readonly (string | undefined)[] = []): string[] {
  return message?.resources.map((any, i) => known[i] || nameOf(any)) ?? [];
}

/** The name in a Resource wrapper, or else the one in the resource itself. */
function nameOf(any: Any): string {
  if (!any.typeUrl.endsWith(`/${Resource.typeName}`)) return resourceName(any.value);
  const wrapper = decode(Resource, any.value);
  if (!wrapper.ok) return '';
  return wrapper.value.name || resourceName(wrapper.value.resource?.value ?? new Uint8Array(0));
}

/** A bare type name is as good as a type URL to gRPC. */
function withHost(type: string): string {
  return type.includes('/') ? type : `type.googleapis.com/${type}`;
}

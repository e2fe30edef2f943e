import type { Status } from '../base/status.js';
import { DiscoveryResponse, Resource } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { decode } from '../proto/message-type.js';
import { resourceName } from '../proto/resource-name.js';

/** Limits the type URLs that one response adds to the log. */
const MAX_TYPES = 5;

/** A response before its resources are validated. */
export interface ReceivedResponse {
  typeUrl: string;
  version: string;
  nonce: string;
  /** Errors that the server reports for single resources (xRFC TP3). */
  errors: readonly { name: string; status: Status | undefined }[];
  /** The complete message; undefined if it cannot be decoded. */
  message: DiscoveryResponse | undefined;
  /** D1: the reason why the client ignores the message, without ACK or NACK: decoding failed, or unrequested type. */
  ignored: string | undefined;
}

/** Decodes a DiscoveryResponse; its resources stay encoded. */
export function readResponse(bytes: Uint8Array, isKnownType: (typeUrl: string) => boolean): ReceivedResponse {
  const decoded = decode(DiscoveryResponse, bytes);
  if (!decoded.ok) {
    const ignored = `not a DiscoveryResponse: ${decoded.reason} at byte ${decoded.offset}`;
    return { typeUrl: '', version: '', nonce: '', errors: [], message: undefined, ignored };
  }
  const { versionInfo, nonce } = decoded.value;
  const typeUrl = withHost(decoded.value.typeUrl);
  return {
    typeUrl,
    version: versionInfo,
    nonce,
    errors: reportedErrors(decoded.value),
    message: { ...decoded.value, typeUrl },
    ignored: isKnownType(typeUrl) ? undefined : 'of a type that was never requested',
  };
}

/** Errors that the server reports for single resources (xRFC TP3). */
export function reportedErrors({ resourceErrors }: DiscoveryResponse): ReceivedResponse['errors'] {
  return resourceErrors.map(({ resourceName, errorDetail }) => ({
    name: resourceName?.name ?? '',
    status: errorDetail && { code: errorDetail.code, message: errorDetail.message },
  }));
}

/** The contents of a response, for the log. */
export interface Contents {
  /** The name of each resource; '' if it is unknown. */
  names: readonly string[];
  /** Names in wrappers without a resource: the heartbeats of a server that uses TTLs. */
  heartbeats: readonly string[];
  /** Types that differ from the type of the response. */
  otherTypes: readonly string[];
}

const WRAPPER = `/${Resource.typeName}`;

/** `known`: the names from validation. Only the other resources are decoded here. */
export function contentsOf(
  message: DiscoveryResponse | undefined,
  known: readonly (string | undefined)[] = [],
): Contents {
  const names: string[] = [];
  const heartbeats: string[] = [];
  const otherTypes: string[] = [];
  if (message === undefined) return { names, heartbeats, otherTypes };
  for (let i = 0; i < message.resources.length; i++) {
    const any = message.resources[i] as Any;
    const name = known[i];
    if (name) {
      names.push(name);
      continue;
    }
    const { wrapperName, resource } = unwrap(any);
    names.push(wrapperName || resourceName(resource?.value ?? new Uint8Array(0)));
    if (resource === undefined && wrapperName !== '') heartbeats.push(wrapperName);
    if (resource === undefined || withHost(resource.typeUrl) === message.typeUrl) continue;
    if (otherTypes.length < MAX_TYPES && !otherTypes.includes(resource.typeUrl)) otherTypes.push(resource.typeUrl);
  }
  return { names, heartbeats, otherTypes };
}

function unwrap(any: Any): { wrapperName: string; resource: Any | undefined } {
  if (!any.typeUrl.endsWith(WRAPPER)) return { wrapperName: '', resource: any };
  const wrapper = decode(Resource, any.value);
  return wrapper.ok
    ? { wrapperName: wrapper.value.name, resource: wrapper.value.resource }
    : { wrapperName: '', resource: undefined };
}

/** gRPC accepts a type name without a host as a type URL. */
function withHost(type: string): string {
  return type.includes('/') ? type : `type.googleapis.com/${type}`;
}

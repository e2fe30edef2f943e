import {
  DiscoveryResponse,
  Resource,
  ResourceError,
  ResourceName,
} from '../proto/generated/envoy.service.discovery.v3.js';
import { Any, Duration } from '../proto/generated/google.protobuf.js';
import { Status } from '../proto/generated/google.rpc.js';
import { encode } from '../proto/message-type.js';
import type { ResourceErrorSpec, SentResource } from './scenario.js';

const WRAPPER_URL = `type.googleapis.com/${Resource.typeName}`;

export function encodeResponse(response: {
  typeUrl: string;
  version: string;
  nonce: string;
  resources: SentResource[];
  errors: ResourceErrorSpec[];
  padding?: number;
}): Uint8Array {
  const message = DiscoveryResponse.create({
    versionInfo: response.version,
    typeUrl: response.typeUrl,
    nonce: response.nonce,
    resources: response.resources.map(resourceAny),
    resourceErrors: response.errors.map(resourceError),
  });
  const bytes = encode(DiscoveryResponse, message);
  return response.padding ? padded(bytes, response.padding) : bytes;
}

/** Field 1000, length-delimited: an unknown field, which every client skips. */
const UNKNOWN_FIELD_TAG = [0xc2, 0x3e];

function padded(message: Uint8Array, length: number): Uint8Array {
  const head = [...UNKNOWN_FIELD_TAG];
  for (let rest = length; ; rest >>>= 7) {
    head.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  const all = new Uint8Array(message.length + head.length + length);
  all.set(message);
  all.set(head, message.length);
  return all;
}

/** Returns the name by which a client identifies the resource. */
export function sentName(sent: SentResource): string {
  return sent.wrapper?.name || (sent.resource?.name ?? '');
}

function resourceAny({ resource, wrapper }: SentResource): Any {
  const bare = resource && Any.create({ typeUrl: resource.typeUrl, value: resource.value });
  if (wrapper === undefined) return bare ?? Any.create();
  const { name, version, ttl } = wrapper;
  const wrapped = Resource.create({
    name,
    version,
    resource: bare,
    ttl: ttl === undefined ? undefined : duration(ttl),
  });
  return Any.create({ typeUrl: WRAPPER_URL, value: encode(Resource, wrapped) });
}

function duration(millis: number): Duration {
  return Duration.create({ seconds: BigInt(Math.floor(millis / 1000)), nanos: Math.round((millis % 1000) * 1e6) });
}

function resourceError({ name, status }: ResourceErrorSpec): ResourceError {
  return ResourceError.create({
    resourceName: name === undefined ? undefined : ResourceName.create({ name }),
    errorDetail: status && Status.create(status),
  });
}

import { Resource } from '../../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../../proto/generated/google.protobuf.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { formatDuration } from '../../proto/json/well-known.js';
import { decode } from '../../proto/message-type.js';
import { resourceName } from '../../proto/resource-name.js';
import type { ValidatedResource } from '../../resources/response-validator.js';

/** A resource as received, with the result of gRPC's validation. */
export interface ReceivedResource {
  name: string;
  /** The version of the wrapper, or else of the response. */
  version: string;
  /** In proto JSON. */
  ttl: string | undefined;
  /** Without its wrapper; undefined if the wrapper was empty. */
  resource: Any | undefined;
  /** `not judged`: gRPC does not validate resources of this type. */
  verdict: 'accepted' | 'rejected' | 'not judged';
  problems: readonly { path: string; message: string }[];
}

/** Unwraps a resource and adds the result of its validation. `responseVersion` is the version of the response. */
export function receivedResource(
  any: Any,
  responseVersion: string,
  validated: ValidatedResource | undefined,
): ReceivedResource {
  const { resource, name, version, ttl } = unwrap(any);
  return {
    name: name || validated?.name || (resource === undefined ? '' : nameIn(resource)),
    version: version || responseVersion,
    ttl,
    resource,
    ...verdictOf(validated),
  };
}

interface Unwrapped {
  resource: Any | undefined;
  name: string;
  version: string;
  ttl: string | undefined;
}

/** A wrapper that cannot be decoded is kept as the resource. */
function unwrap(any: Any): Unwrapped {
  const bare = { resource: any, name: '', version: '', ttl: undefined };
  if (typeNameOf(any.typeUrl) !== Resource.typeName) return bare;
  const wrapper = decode(Resource, any.value);
  if (!wrapper.ok) return bare;
  const { resource, name, version, ttl } = wrapper.value;
  return { resource, name, version, ttl: ttl && formatDuration(ttl.seconds, ttl.nanos) };
}

/** The name in the first field. In a message of the xDS API, that field is the name only if it is a string. */
function nameIn({ typeUrl, value }: Any): string {
  const first = xdsCatalogue.message(typeNameOf(typeUrl))?.byNumber.get(1)?.type;
  const isText = first === undefined || (first.kind === 'scalar' && first.scalar === 'string');
  return isText ? resourceName(value) : '';
}

function verdictOf(validated: ValidatedResource | undefined): Pick<ReceivedResource, 'verdict' | 'problems'> {
  if (validated === undefined) return { verdict: 'not judged', problems: [] };
  if (validated.errors.length === 0) return { verdict: 'accepted', problems: [] };
  const { result } = validated;
  if (result?.ok === false)
    return { verdict: 'rejected', problems: result.problems.map(({ path, reason }) => ({ path, message: reason })) };
  const messages = validated.errors.map((error) => error.replace(/^resource index \d+: /, ''));
  return { verdict: 'rejected', problems: messages.map((message) => ({ path: '', message })) };
}

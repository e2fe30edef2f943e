import { Address, type Metadata } from '../../proto/generated/envoy.config.core.v3.js';
import { Audience } from '../../proto/generated/envoy.extensions.filters.http.gcp_authn.v3.js';
import type { Struct } from '../../proto/generated/google.protobuf.js';
import { decode } from '../../proto/message-type.js';
import type { Validation } from '../validation.js';
import { readAddress } from './address.js';
import { type Extension, withExtension } from './extension.js';
import { addressUri } from './ip-address.js';
import { structProblem } from './struct-json.js';

/** Metadata of a type that gRPC supports. gRPC ignores other types. */
export type MetadataValue =
  | { kind: 'audience'; url: string }
  | { kind: 'address'; uri: string }
  | { kind: 'struct'; struct: Struct };

/**
 * Reads metadata. Typed metadata takes precedence over a struct with the same key. Errors are located directly below
 * the path of the caller.
 */
export function readMetadata(metadata: Metadata | undefined, validation: Validation): Map<string, MetadataValue> {
  const values = new Map<string, MetadataValue>();
  for (const [key, any] of metadata?.typedFilterMetadata ?? []) {
    const value = validation.entry('typed_filter_metadata', key, () =>
      withExtension(any, validation, (extension) => typedValue(extension, validation)),
    );
    if (value !== undefined) values.set(key, value);
  }
  for (const [key, struct] of metadata?.filterMetadata ?? []) {
    const problem = structProblem(struct);
    if (problem !== undefined) validation.entry('filter_metadata', key, () => validation.addError(problem));
    else if (!values.has(key)) values.set(key, { kind: 'struct', struct });
  }
  return values;
}

function typedValue({ type, value }: Extension, validation: Validation): MetadataValue | undefined {
  if (type === Audience.typeName) {
    const decoded = value.kind === 'bytes' ? decode(Audience, value.bytes) : undefined;
    if (!decoded?.ok) validation.addError('could not parse audience metadata');
    else if (decoded.value.url === '') validation.addFieldError('url', 'must be non-empty');
    else return { kind: 'audience', url: decoded.value.url };
  } else if (type === Address.typeName && validation.context.switches.httpConnect) {
    const decoded = value.kind === 'bytes' ? decode(Address, value.bytes) : undefined;
    if (!decoded?.ok) validation.addError('could not parse address metadata');
    const address = decoded?.ok ? readAddress(decoded.value, validation) : undefined;
    return address && { kind: 'address', uri: addressUri(address) };
  }
  return undefined;
}

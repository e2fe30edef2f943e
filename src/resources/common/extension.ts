import type { Any, Struct } from '../../proto/generated/google.protobuf.js';
import { TypedStruct } from '../../proto/generated/xds.type.v3.js';
import type { Json } from '../../proto/json/well-known.js';
import { decode } from '../../proto/message-type.js';
import type { Validation } from '../validation.js';
import { structProblem, structToJson } from './struct-json.js';

/** The content of an Any: the bytes of a message, or JSON from a TypedStruct. */
export interface Extension {
  type: string;
  value: { kind: 'bytes'; bytes: Uint8Array } | { kind: 'json'; json: { [key: string]: Json } };
}

/** Unpacks an Any and runs `inside` with errors located at `.value[type]`. Does not run it if there is no type. */
export function withExtension<T>(
  any: Any | undefined,
  validation: Validation,
  inside: (extension: Extension) => T,
): T | undefined {
  if (any === undefined) return validation.addError('field not present');
  const type = typeOf(any.typeUrl, validation);
  if (type === undefined) return undefined;
  validation.errors.enterAny(type);
  const result =
    type === 'xds.type.v3.TypedStruct' || type === 'udpa.type.v1.TypedStruct'
      ? withTypedStruct(any.value, validation, inside)
      : inside({ type, value: { kind: 'bytes', bytes: any.value } });
  validation.errors.leave();
  return result;
}

function withTypedStruct<T>(
  bytes: Uint8Array,
  validation: Validation,
  inside: (extension: Extension) => T,
): T | undefined {
  const decoded = decode(TypedStruct, bytes);
  if (!decoded.ok) return validation.addError('could not parse');
  const type = typeOf(decoded.value.typeUrl, validation);
  if (type === undefined) return undefined;
  validation.errors.enterAny(type);
  const struct = decoded.value.value ?? NO_FIELDS;
  const problem = structProblem(struct);
  const result =
    problem === undefined
      ? inside({ type, value: { kind: 'json', json: structToJson(struct) } })
      : validation.addError(problem);
  validation.errors.leave();
  return result;
}

const NO_FIELDS: Struct = { fields: new Map() };

/**
 * Returns the type after the last slash. A URL without a slash is an error, but C-core still uses its text as the type.
 */
function typeOf(typeUrl: string, validation: Validation): string | undefined {
  const slash = typeUrl.lastIndexOf('/');
  if (slash >= 0 && slash < typeUrl.length - 1) return typeUrl.slice(slash + 1);
  validation.addFieldError('type_url', typeUrl === '' ? 'field not present' : `invalid value "${typeUrl}"`);
  return typeUrl === '' ? undefined : typeUrl;
}

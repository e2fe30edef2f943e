import { WRAPPERS } from '../json/well-known.js';
import type { Scalar } from '../wire/scalars.js';
import { type JsonSchema, NULL, orNull, refTo } from './json-schema.js';
import { SCALAR_FORMS } from './scalar-schemas.js';

const UNKNOWN = '@unknown';

function orUnknown(...forms: readonly JsonSchema[]): JsonSchema {
  return { anyOf: [...forms, refTo('withUnknownFields'), NULL] };
}

/** Out of range, a time has the ordinary form of a message. */
function time(title: string, description: string, example: string, pattern: string): JsonSchema {
  const properties = { seconds: refTo('int64'), nanos: refTo('int32'), [UNKNOWN]: refTo('unknownFields') };
  return {
    description,
    anyOf: [
      { type: 'string', pattern, examples: [example] },
      { title, type: 'object', properties, additionalProperties: false },
      NULL,
    ],
  };
}

const DATE = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const CLOCK = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})';

const PACKAGE = 'google.protobuf.';

function wrapper(name: string): JsonSchema {
  const scalar = name.slice(PACKAGE.length, -'Value'.length).toLowerCase() as Scalar;
  return orUnknown(...SCALAR_FORMS[scalar]);
}

/** The well-known types with their own form in JSON, except Any. */
export const WELL_KNOWN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries([...WRAPPERS].map((name) => [name, wrapper(name)])),
  [`${PACKAGE}Duration`]: time('Duration', 'A duration, such as 1.5s.', '1.5s', '^-?0*[0-9]{1,12}(\\.[0-9]{1,9})?s$'),
  [`${PACKAGE}Timestamp`]: time('Timestamp', 'A time in RFC 3339.', '2026-01-31T12:00:00Z', `^${DATE}T${CLOCK}$`),
  [`${PACKAGE}FieldMask`]: orUnknown({ description: 'Paths, separated by commas.', type: 'string' }),
  [`${PACKAGE}Struct`]: { description: 'Any JSON object.', type: orNull('object') },
  [`${PACKAGE}ListValue`]: orUnknown({ description: 'Any JSON array.', type: 'array' }),
  [`${PACKAGE}Value`]: { description: 'Any JSON value.' },
};

/** Definitions that others refer to. */
export const SHARED_DEFINITIONS: Readonly<Record<string, JsonSchema>> = {
  // What the tool prints for fields that are not in the API.
  unknownFields: { type: 'array', items: { type: 'object' } },
  // The form of a well-known type with unknown fields: its own form has no place for them.
  withUnknownFields: { type: 'object', properties: { [UNKNOWN]: refTo('unknownFields') }, required: [UNKNOWN] },
  // A field with null does not exclude the other members of its oneof.
  withoutNulls: { type: 'object', additionalProperties: { not: NULL } },
  int32: { anyOf: [...SCALAR_FORMS.int32, NULL] },
  int64: { anyOf: [...SCALAR_FORMS.int64, NULL] },
};

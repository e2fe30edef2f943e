import type { Catalogue } from '../json/catalogue.js';
import { hasCustomJson } from '../json/well-known.js';
import { isNested } from './any-types.js';
import { type JsonSchema, literal, orNull, typeUrlPattern, when } from './json-schema.js';

/** Types in these packages must be in the API. All others may be types of the user. */
const API_PACKAGES = '(envoy|xds|udpa|google\\.protobuf|grpc\\.lookup)\\.';

const PREFIX = 'type.googleapis.com/';

/**
 * An Any, whose "@type" selects the schema of its other fields. The contents of other messages than `types` are not
 * described.
 */
export function anySchema(
  catalogue: Catalogue,
  types: readonly string[],
  message: (name: string) => JsonSchema,
): JsonSchema {
  const typed = when({ required: ['@value'] }, RAW, { allOf: types.map((name) => contents(name, message(name))) });
  return {
    title: 'Any',
    description: 'A message of any type: "@type" is its type URL.',
    type: orNull('object'),
    properties: {
      '@type': {
        description: 'Type URL of the message.',
        type: 'string',
        anyOf: [{ not: { pattern: typeUrlPattern(`${API_PACKAGES}.*`) } }, { pattern: knownTypes(catalogue) }],
        examples: types.map((name) => `${PREFIX}${name}`),
      },
    },
    // Without any field, an Any is empty.
    ...when(
      { type: 'object', minProperties: 1 },
      { required: ['@type'], allOf: [when({ required: ['@type'] }, typed)] },
    ),
  };
}

/** The bytes of the message, instead of its fields. */
const RAW: JsonSchema = {
  properties: { '@value': { type: 'string' } },
  propertyNames: { enum: ['@type', '@value', '@error'] },
};

function contents(name: string, schema: JsonSchema): JsonSchema {
  const isType = { properties: { '@type': { type: 'string', pattern: typeUrlPattern(literal(name)) } } };
  if (!hasCustomJson(name)) return when(isType, schema);
  const properties = { '@type': {}, '@error': {}, value: schema };
  return when(isType, { properties, required: ['value'], additionalProperties: false });
}

/** A pattern of all types of the API, grouped by package. */
function knownTypes(catalogue: Catalogue): string {
  const packages = new Map<string, string[]>();
  for (const name of catalogue.messageNames()) {
    if (isNested(name)) continue;
    const dot = name.lastIndexOf('.');
    const [prefix, last] = [name.slice(0, dot), name.slice(dot + 1)];
    packages.set(prefix, [...(packages.get(prefix) ?? []), last]);
  }
  const groups = [...packages].map(([prefix, names]) => `${literal(prefix)}\\.(${names.join('|')})(\\..*)?`);
  return typeUrlPattern(`(${groups.join('|')})`);
}

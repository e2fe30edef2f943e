import { type JsonSchema, typeUrlPattern } from '../../proto/json-schema/json-schema.js';
import { DUMPS, UNTYPED_DUMPS } from '../../resources/files/config-dump.js';

const TYPED: JsonSchema = {
  properties: { '@type': { type: 'string', pattern: typeUrlPattern(`${DUMPS.source.slice(1)}.*`) } },
  required: ['@type'],
};

function hasKey(pattern: string): JsonSchema {
  return { not: { propertyNames: { not: { type: 'string', pattern } } } };
}

const UNTYPED: JsonSchema = {
  ...{ not: { required: ['@type'] } },
  anyOf: UNTYPED_DUMPS.map(([field]) => hasKey(field.source)),
};

/** A dump below a name: `config` may be a field of any message there. */
const NAMED: JsonSchema = {
  type: 'object',
  anyOf: [TYPED, { properties: { configs: { type: 'array' } }, required: ['configs'] }],
};

/** Dumps of several proxies, by name, or by namespace and name. */
function byName(inner: JsonSchema): JsonSchema {
  return { type: 'object', not: { required: ['@type'] }, minProperties: 1, additionalProperties: inner };
}

const BY_NAME = byName({ anyOf: [NAMED, byName(NAMED)] });

/** Recognizes the dump of a client, whose contents are not described. */
export const DUMP: JsonSchema = {
  type: 'object',
  anyOf: [TYPED, UNTYPED, BY_NAME, { properties: { xds: { anyOf: [NAMED, BY_NAME] } }, required: ['xds'] }],
};

import { API_TYPES, apiTypeName } from '../../proto/api-types.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import {
  DRAFT,
  type JsonSchema,
  literal,
  NULL,
  orNull,
  refTo,
  typeUrlPattern,
  when,
} from '../../proto/json-schema/json-schema.js';
import { MessageSchemas } from '../../proto/json-schema/message-schemas.js';
import { isShortType, RESOURCE_TYPES, TYPE_URLS } from '../../proto/resource-types.js';
import { RESPONSE_KEYS } from '../../resources/files/file-resources.js';
import { COMMON_FIELDS, OTHER_TYPES } from '../../resources/files/guess-type.js';
import { apiNotes } from './api-notes.js';
import { DUMP } from './dump-schema.js';

const RESPONSE = 'envoy.service.discovery.v3.DiscoveryResponse';
const ANY = 'google.protobuf.Any';

/** The schema of a message: of a file with a resource of a type or a list of them, or of any other message. */
export function messageSchema(typeUrl: string): JsonSchema {
  const messages = new MessageSchemas(xdsCatalogue, apiNotes());
  const name = typeNameOf(typeUrl);
  const short = apiTypeName(typeUrl);
  const reference = messages.message(name);
  if (!Object.hasOwn(API_TYPES, short)) {
    return { ...heading(name, name), allOf: [reference], definitions: messages.definitions() };
  }
  const resource = { type: orNull('object'), properties: { '@type': typeOf(short, typeUrl) }, allOf: [reference] };
  return {
    ...heading(short, `${name.slice(name.lastIndexOf('.') + 1)} (${short})`),
    ...oneOrList('resource'),
    definitions: { resource, ...messages.definitions() },
  };
}

/** The schema of the files that `validate` reads: a resource of any type, a list, a DiscoveryResponse, a dump. */
export function resourcesSchema(): JsonSchema {
  const messages = new MessageSchemas(xdsCatalogue, apiNotes());
  const resource = anyResource(messages);
  messages.message(RESPONSE);
  const definitions = messages.definitions();
  definitions[RESPONSE] = responseOf(definitions[RESPONSE] as JsonSchema);
  return {
    ...heading('resources', 'Resources of the xDS API'),
    ...when(IS_RESPONSE, refTo(RESPONSE), oneOrList('resourceOrDump')),
    definitions: { resourceOrDump: when(DUMP, {}, refTo('resource')), resource, ...definitions },
  };
}

/** Adds the contents of resources to the schema of a scenario, in which a resource needs "@type". */
export function withResources(scenario: JsonSchema): JsonSchema {
  const messages = new MessageSchemas(xdsCatalogue, apiNotes());
  const resource = typedResource(messages);
  return { ...scenario, definitions: { ...(scenario.definitions as JsonSchema), resource, ...messages.definitions() } };
}

function heading(name: string, title: string): JsonSchema {
  return { $schema: DRAFT, $id: `urn:xds-inspect:schema:${name}`, title };
}

function oneOrList(definition: string): JsonSchema {
  const list = { type: 'array', items: { allOf: [{ type: 'object' }, refTo(definition)] } };
  return when({ type: 'array' }, list, refTo(definition));
}

/** The "@type" of a file with resources of one type. Only the types of gRPC have short names there. */
function typeOf(short: string, typeUrl: string): JsonSchema {
  const pattern = typeUrlPattern(literal(typeNameOf(typeUrl)));
  if (!isShortType(short)) return { type: 'string', pattern, examples: [typeUrl] };
  return { type: 'string', pattern: `^${short}$|${pattern}`, examples: [short, typeUrl] };
}

const SHORT_TYPES = Object.keys(RESOURCE_TYPES);

const TYPED: JsonSchema = {
  '@type': { type: 'string', pattern: `^(${SHORT_TYPES.join('|')})$|[./]`, examples: SHORT_TYPES },
};

/** A resource with "@type", which may be a short name. */
function typedResource(messages: MessageSchemas): JsonSchema {
  const short = Object.entries(RESOURCE_TYPES).map(([name, typeUrl]) =>
    when({ properties: { '@type': { const: name } } }, messages.message(typeNameOf(typeUrl))),
  );
  return { type: 'object', properties: TYPED, required: ['@type'], allOf: [messages.message(ANY), ...short] };
}

/** A resource with "@type", or one of which the fields tell the type. */
function anyResource(messages: MessageSchemas): JsonSchema {
  const types = [...TYPE_URLS, ...OTHER_TYPES].map((typeUrl) => messages.message(typeNameOf(typeUrl)));
  const untyped = { not: { propertyNames: { enum: [...COMMON_FIELDS] } }, anyOf: types };
  return {
    type: orNull('object'),
    properties: TYPED,
    ...when({ type: 'object', required: ['@type'] }, typedResource(messages), { anyOf: [NULL, untyped] }),
  };
}

const IS_RESPONSE: JsonSchema = {
  type: 'object',
  anyOf: [
    {
      properties: { '@type': { type: 'string', pattern: typeUrlPattern(literal(RESPONSE)) } },
      required: ['@type'],
    },
    { not: { required: ['@type'] }, anyOf: RESPONSE_KEYS.map((key) => ({ required: [key] })) },
  ],
};

/** In a file, the resources of a response may have short types, or none. */
function responseOf(schema: JsonSchema): JsonSchema {
  const resources = { type: orNull('array'), items: { allOf: [{ type: 'object' }, refTo('resource')] } };
  return { ...schema, properties: { ...(schema.properties as JsonSchema), '@type': { type: 'string' }, resources } };
}

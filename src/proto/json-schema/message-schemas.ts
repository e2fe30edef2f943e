import type { Catalogue, CatalogueField, CatalogueMessage, CatalogueType } from '../json/catalogue.js';
import type { Json } from '../json/well-known.js';
import { anySchema } from './any-schema.js';
import { anyTypes } from './any-types.js';
import { type JsonSchema, NULL, orNull, refTo, when } from './json-schema.js';
import { ENUM_NUMBER, mapKeySchema, SCALAR_FORMS } from './scalar-schemas.js';
import { SHARED_DEFINITIONS, WELL_KNOWN_SCHEMAS } from './well-known-schemas.js';

/** What a schema says about messages and their fields. */
export interface SchemaNotes {
  ofMessage(name: string): string | undefined;
  ofField(message: string, field: CatalogueField): string | undefined;
  isDeprecated(message: string, field: CatalogueField): boolean;
}

const ANY = 'google.protobuf.Any';
const VALUE = 'google.protobuf.Value';

/**
 * Describes messages of the catalogue in proto JSON, as definitions of one JSON Schema: what `MessageEncoder` encodes
 * without unknown parts.
 */
export class MessageSchemas {
  readonly #catalogue: Catalogue;
  readonly #notes: SchemaNotes;
  readonly #inAny: ReadonlySet<string>;
  readonly #definitions = new Map<string, JsonSchema>(Object.entries(SHARED_DEFINITIONS));
  readonly #open: string[] = [];

  constructor(catalogue: Catalogue, notes: SchemaNotes) {
    this.#catalogue = catalogue;
    this.#notes = notes;
    this.#inAny = new Set(anyTypes(catalogue));
  }

  /** Returns a reference to a message or null. */
  message(name: string): JsonSchema {
    this.#open.push(name);
    return refTo(name);
  }

  /** Returns the definitions of all messages that are referenced, directly or indirectly. */
  definitions(): JsonSchema {
    for (let name = this.#open.pop(); name !== undefined; name = this.#open.pop()) this.#add(name);
    return Object.fromEntries([...this.#definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #add(name: string): void {
    if (this.#definitions.has(name)) return;
    const type = this.#catalogue.message(name);
    const own = WELL_KNOWN_SCHEMAS[name];
    if (name === ANY) this.#definitions.set(name, this.#any());
    else if (own !== undefined) this.#definitions.set(name, own);
    else if (type !== undefined) this.#definitions.set(name, this.#ordinary(type));
  }

  #any(): JsonSchema {
    return anySchema(this.#catalogue, [...this.#inAny], (name) => this.message(name));
  }

  #ordinary(type: CatalogueMessage): JsonSchema {
    const note = this.#notes.ofMessage(type.name);
    // Editors do not suggest properties with a pattern.
    const marks = this.#inAny.has(type.name) ? { '^@(type|error)$': {} } : {};
    return {
      title: type.name.slice(type.name.lastIndexOf('.') + 1),
      ...(note !== undefined && { description: note }),
      type: orNull('object'),
      properties: this.#properties(type),
      patternProperties: { ...marks, '^@unknown$': refTo('unknownFields') },
      additionalProperties: false,
      ...oneofConstraint(type),
    };
  }

  #properties(type: CatalogueMessage): JsonSchema {
    const properties = new Map<string, Json>();
    for (const field of type.byNumber.values()) {
      const schema = this.#annotated(type.name, field);
      properties.set(field.jsonName, schema).set(field.name, schema);
    }
    return Object.fromEntries(properties);
  }

  #annotated(message: string, field: CatalogueField): JsonSchema {
    const isDeprecated = this.#notes.isDeprecated(message, field);
    const notes = [this.#notes.ofField(message, field), isDeprecated ? 'Deprecated.' : undefined];
    const description = notes.filter((note) => note !== undefined).join(' ');
    return {
      ...(description !== '' && { description }),
      ...(isDeprecated && { deprecated: true }),
      ...this.#field(field),
    };
  }

  #field({ type, repeated, mapKey }: CatalogueField): JsonSchema {
    if (mapKey === undefined)
      return repeated ? { type: orNull('array'), items: this.#element(type) } : this.#single(type);
    const propertyNames = mapKeySchema(mapKey);
    return {
      type: orNull('object'),
      ...(propertyNames !== undefined && { propertyNames }),
      additionalProperties: this.#element(type),
    };
  }

  /** A value or null. */
  #single(type: CatalogueType): JsonSchema {
    if (type.kind === 'message') return this.message(type.name);
    const [name, forms] = type.kind === 'enum' ? [type.name, this.#enumForms(type.name)] : scalarForms(type.scalar);
    const [only, ...others] = forms;
    if (type.kind === 'scalar' && typeof only?.type === 'string' && others.length === 0 && only.pattern === undefined)
      return { type: orNull(only.type) };
    this.#definitions.set(name, { anyOf: [...forms, NULL] });
    return refTo(name);
  }

  /** An element of a list or a value of a map, which cannot be null. */
  #element(type: CatalogueType): JsonSchema {
    const schema = this.#single(type);
    if (Array.isArray(schema.type)) return { type: schema.type[0] as string };
    if (type.kind === 'message' && type.name === VALUE) return schema;
    const isObject = type.kind === 'message' && WELL_KNOWN_SCHEMAS[type.name] === undefined;
    return { allOf: [isObject ? { type: 'object' } : { not: NULL }, schema] };
  }

  #enumForms(name: string): JsonSchema[] {
    const names = [...(this.#catalogue.enumType(name)?.byName.keys() ?? [])];
    return [{ type: 'string', enum: names }, ENUM_NUMBER];
  }
}

function scalarForms(scalar: keyof typeof SCALAR_FORMS): [string, readonly JsonSchema[]] {
  return [scalar, SCALAR_FORMS[scalar]];
}

/** At most one member of each oneof is set. */
function oneofConstraint({ byNumber }: CatalogueMessage): JsonSchema {
  const members = new Map<number, Set<string>>();
  for (const { oneof, name, jsonName } of byNumber.values()) {
    if (oneof !== undefined) members.set(oneof, new Set([...(members.get(oneof) ?? []), jsonName, name]));
  }
  const groups = [...members.values()].filter(({ size }) => size > 1).map(atMostOne);
  return groups.length === 0 ? {} : when(refTo('withoutNulls'), { allOf: groups });
}

function atMostOne(names: ReadonlySet<string>): JsonSchema {
  const each = [...names].map((name) => ({ required: [name] }));
  return { oneOf: [...each, { not: { anyOf: each } }] };
}

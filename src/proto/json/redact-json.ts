import { isSecretName, REDACTED, redactText } from '../../base/secret-name.js';
import { isMapping } from '../../base/shape.js';
import type { Catalogue, CatalogueField, CatalogueMessage } from './catalogue.js';
import {
  hasSecretField,
  mayContainSecrets,
  redacted,
  redactedByName,
  redactedEntry,
  redactedUnknown,
  withoutValues,
} from './secrets.js';
import { typeNameOf } from './type-name.js';
import { hasCustomJson, type Json } from './well-known.js';

/** Values that are nested deeper are redacted as a whole: the output of `printAny` is not, and the stack is limited. */
const MAX_DEPTH = 300;

const STRUCT = 'google.protobuf.Struct';
const VALUE = 'google.protobuf.Value';
const LIST = 'google.protobuf.ListValue';

type Fields = { [key: string]: Json };

/**
 * Redacts the secrets of a resource in proto JSON, as `printAny` redacts them in bytes. The structure stays: each path of
 * the resource leads to the same value, or to its redacted form. Fields and types that the catalogue lacks are redacted by
 * their names.
 */
export function redactJson(catalogue: Catalogue, typeUrl: string, json: unknown): Json {
  const walk = new JsonRedactor(catalogue);
  return isMapping(json) ? walk.any(json as Fields, typeUrl, 0) : walk.data(json as Json, 0);
}

class JsonRedactor {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** @param typeUrl the type if the message does not name one. */
  any(json: Fields, typeUrl: string | undefined, depth: number): Json {
    const { '@type': named, ...rest } = json;
    const name = typeof named === 'string' ? named : typeUrl;
    const type = name === undefined ? undefined : this.#catalogue.message(typeNameOf(name));
    const own = named === undefined ? {} : { '@type': named };
    if (type === undefined) return { ...own, ...(this.data(rest, depth) as Fields) };
    if ('@error' in rest) return { ...own, ...this.#undecoded(rest, type) };
    if (hasCustomJson(type.name) && 'value' in rest) {
      const { value, ...others } = rest;
      return { ...own, ...(this.data(others, depth) as Fields), value: this.#message(type, value as Json, depth) };
    }
    return { ...own, ...(this.#message(type, rest, depth) as Fields) };
  }

  #undecoded(json: Fields, type: CatalogueMessage): Fields {
    return mayContainSecrets(this.#catalogue, type) && '@value' in json ? { ...json, '@value': REDACTED } : json;
  }

  #named(name: string, json: Json, depth: number): Json {
    const type = this.#catalogue.message(name);
    return type === undefined ? this.data(json, depth) : this.#message(type, json, depth);
  }

  #message(type: CatalogueMessage, json: Json, depth: number): Json {
    if (depth > MAX_DEPTH) return REDACTED;
    if (type.name === VALUE || type.name === LIST || !isMapping(json)) return this.data(json, depth);
    if (type.name === 'google.protobuf.Any') return this.any(json, undefined, depth + 1);
    // With unknown fields, a Struct has its ordinary form.
    if (type.name === STRUCT && !('@unknown' in json)) return this.data(json, depth);
    const entries = Object.entries(json).map(([key, value]): [string, Json] => [
      key,
      this.#entry(type, key, value, depth),
    ]);
    return redactedByName(type.name, Object.fromEntries(entries));
  }

  #entry(type: CatalogueMessage, key: string, value: Json, depth: number): Json {
    if (key === '@omitted') return value;
    const field = type.byName.get(key);
    if (field === undefined) return this.#unknownEntry(type, key, this.data(value, depth + 1));
    const inner = this.#field(field, value, depth);
    return field.sensitive ? redacted(inner, field.type) : inner;
  }

  /** An unknown field of a message with secrets is probably secret, too: it belongs to a newer API. */
  #unknownEntry(type: CatalogueMessage, key: string, value: Json): Json {
    if (key === '@unknown') return hasSecretField(type) && Array.isArray(value) ? redactedUnknown(value) : value;
    return hasSecretField(type) || isSecretName(key) ? withoutValues(value) : value;
  }

  #field(field: CatalogueField, value: Json, depth: number): Json {
    const one = (element: Json): Json => this.#value(field, element, depth + 1);
    if (field.mapKey !== undefined && isMapping(value)) {
      const entries = Object.entries(value as Fields).map(([key, element]): [string, Json] => [key, one(element)]);
      const { type } = field;
      const isNamed = type.kind === 'scalar' || (type.kind === 'message' && type.name === VALUE);
      return Object.fromEntries(isNamed ? entries.map(redactedEntry) : entries);
    }
    return field.repeated && Array.isArray(value) ? value.map(one) : one(value);
  }

  #value({ type }: CatalogueField, value: Json, depth: number): Json {
    if (type.kind === 'message') return this.#named(type.name, value, depth);
    return this.data(value, depth);
  }

  /** Data without a type: keys name their values, and texts may contain secrets. */
  data(json: Json, depth: number): Json {
    if (typeof json === 'string') return redactText(json);
    if (json === null || typeof json !== 'object') return json;
    if (depth > MAX_DEPTH) return REDACTED;
    if (Array.isArray(json)) return json.map((one) => this.data(one, depth + 1));
    // An Any in a field or a message that the catalogue lacks.
    if (typeof json['@type'] === 'string' && this.#catalogue.message(typeNameOf(json['@type'])) !== undefined)
      return this.any(json, undefined, depth + 1);
    return Object.fromEntries(
      Object.entries(json).map(([key, value]) => redactedEntry([key, this.data(value, depth + 1)])),
    );
  }
}

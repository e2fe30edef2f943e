import { fromBase64 } from '../../base/base64.js';
import { didYouMean } from '../../base/nearest.js';
import type { PathStep, Problems } from '../../base/problem.js';
import { describeValue, isMapping } from '../../base/shape.js';
import { API_TYPES } from '../api-types.js';
import { WireType } from '../wire/reader.js';
import type { Scalar } from '../wire/scalars.js';
import { Writer } from '../wire/writer.js';
import type { Catalogue, CatalogueField, CatalogueMessage, CatalogueType } from './catalogue.js';
import { wireTypeOf } from './leaf.js';
import { readScalar, writeScalar } from './scalar-value.js';
import { typeNameOf } from './type-name.js';
import { writeUnknown } from './unknown-fields.js';
import { hasCustomJson } from './well-known.js';
import { encodeWellKnown } from './well-known-encoder.js';

const MAX_DEPTH = 200;

/** An Any: a type URL and the bytes of the message. */
export interface AnyBytes {
  typeUrl: string;
  value: Uint8Array;
}

/** A part of proto JSON that the catalogue does not describe: a field of a message, or the type of an Any. */
export interface UnknownPart {
  kind: 'field' | 'type';
  path: readonly PathStep[];
  message: string;
}

/** More differences than these are rarely a typo, and the names of an API are long and similar. */
const MAX_TYPOS = 2;

/** A typo in these matters most. Comparing with all types takes too long. */
const RESOURCE_TYPE_NAMES = Object.values(API_TYPES).map(typeNameOf);

interface SetField {
  key: string;
  field: CatalogueField;
  value: unknown;
}

/**
 * Encodes proto JSON with the types of the catalogue. Adds a problem for each part that cannot be encoded, and
 * continues with the rest. With a list for unknown parts, these are no problems: an unknown field is omitted, and an Any
 * of an unknown type keeps its type URL without contents.
 */
export class MessageEncoder {
  readonly problems: Problems;
  readonly #catalogue: Catalogue;
  readonly #unknownParts: UnknownPart[] | undefined;

  constructor(catalogue: Catalogue, problems: Problems, unknownParts?: UnknownPart[]) {
    this.#catalogue = catalogue;
    this.problems = problems;
    this.#unknownParts = unknownParts;
  }

  any(json: unknown, depth: number): AnyBytes | undefined {
    if (!isMapping(json)) return this.problems.add(`expected a mapping with "@type", got ${describeValue(json)}`);
    const { '@type': typeUrl, '@value': raw, '@error': _error, ...rest } = json;
    if (typeof typeUrl !== 'string' || (typeUrl === '' && raw === undefined))
      return this.problems.add('"@type" with the type URL is missing');
    const [extra] = Object.keys(rest);
    if (raw !== undefined && extra !== undefined) this.problems.addAt([extra], 'cannot be combined with "@value"');
    const value = raw === undefined ? this.#typed(typeUrl, rest, depth) : this.#raw(raw);
    return value && { typeUrl, value };
  }

  #raw(base64: unknown): Uint8Array | undefined {
    const value = typeof base64 === 'string' ? fromBase64(base64) : undefined;
    if (value === undefined) this.problems.addAt(['@value'], 'expected base64');
    return value;
  }

  #typed(typeUrl: string, rest: Record<string, unknown>, depth: number): Uint8Array | undefined {
    const name = typeNameOf(typeUrl);
    if (this.#catalogue.message(name) === undefined) return this.#unknownType(name);
    const writer = new Writer();
    if (hasCustomJson(name)) this.problems.at('value', () => this.named(writer, name, rest.value, depth + 1));
    else this.named(writer, name, rest, depth + 1);
    return writer.finish();
  }

  /** The contents of an unknown type cannot be encoded. */
  #unknownType(name: string): Uint8Array | undefined {
    if (this.#unknownParts === undefined)
      return this.problems.addAt(['@type'], `unknown type "${name}"; give its bytes as base64 in "@value"`);
    const hint = didYouMean(name, RESOURCE_TYPE_NAMES, MAX_TYPOS);
    const message = `type ${name} is not in the API${hint}: its contents are left out`;
    this.#unknownParts.push({ kind: 'type', path: this.problems.pathTo(['@type']), message });
    return new Uint8Array(0);
  }

  /** Writes the fields of a message. The caller writes its tag and length. */
  named(writer: Writer, name: string, json: unknown, depth: number): void {
    const type = this.#catalogue.message(name);
    if (type === undefined) this.problems.add(`unknown message type ${name}`);
    else if (depth > MAX_DEPTH) this.problems.add('nested too deeply');
    else if (encodeWellKnown(this, writer, type, json, depth)) return;
    else if (isMapping(json)) this.#fields(writer, type, json, depth);
    else this.problems.add(`expected a mapping (${name}), got ${describeValue(json)}`);
  }

  #fields(writer: Writer, type: CatalogueMessage, json: Record<string, unknown>, depth: number): void {
    const set: SetField[] = [];
    for (const [key, value] of Object.entries(json)) {
      const field = type.byName.get(key);
      if (key === '@unknown') this.#unknown(writer, value);
      else if (field === undefined) this.#addUnknownField(key, type);
      else if (value !== null || isNullable(field)) set.push({ key, field, value });
    }
    this.#checkDuplicates(set);
    set.sort((a, b) => b.field.number - a.field.number);
    for (const { key, field, value } of set) this.problems.at(key, () => this.field(writer, field, value, depth));
  }

  #addUnknownField(key: string, type: CatalogueMessage): void {
    const limit = Math.min(MAX_TYPOS, Math.floor(key.length / 3));
    const message = `unknown field in ${type.name}${didYouMean(key, type.byName.keys(), limit)}`;
    if (this.#unknownParts === undefined) this.problems.addAt([key], message);
    else this.#unknownParts.push({ kind: 'field', path: this.problems.pathTo([key]), message });
  }

  #checkDuplicates(set: readonly SetField[]): void {
    const seen = new Map<CatalogueField | number, string>();
    for (const { key, field } of set) {
      const other = seen.get(field) ?? (field.oneof === undefined ? undefined : seen.get(field.oneof));
      if (other !== undefined) this.problems.addAt([key], `cannot be set together with "${other}"`);
      seen.set(field, key);
      if (field.oneof !== undefined) seen.set(field.oneof, key);
    }
  }

  #unknown(writer: Writer, list: unknown): void {
    if (Array.isArray(list) && [...list].reverse().every((entry) => writeUnknown(writer, entry))) return;
    const expected = 'expected a list of {"field": number, "varint" | "fixed32" | "fixed64" | "bytes": value}';
    this.problems.addAt(['@unknown'], expected);
  }

  field(writer: Writer, field: CatalogueField, value: unknown, depth: number): void {
    if (field.mapKey !== undefined) this.#map(writer, field, field.mapKey, value, depth);
    else if (!field.repeated) {
      const skipDefault = field.oneof === undefined && field.type.kind !== 'message';
      this.value(writer, field.number, field.type, value, depth, skipDefault);
    } else if (Array.isArray(value)) this.#list(writer, field, value, depth);
    else this.problems.add(`expected a list, got ${describeValue(value)}`);
  }

  #list(writer: Writer, field: CatalogueField, list: readonly unknown[], depth: number): void {
    const packed = wireTypeOf(field.type) !== WireType.bytes;
    const before = writer.length;
    for (let i = list.length - 1; i >= 0; i--) {
      this.problems.at(i, () => {
        if (packed) this.#leaf(writer, field.type, list[i], false);
        else this.value(writer, field.number, field.type, list[i], depth, false);
      });
    }
    if (packed && list.length > 0) writer.delimitedHeader(field.number, writer.length - before);
  }

  #map(writer: Writer, field: CatalogueField, keyKind: Scalar, value: unknown, depth: number): void {
    if (!isMapping(value)) {
      this.problems.add(`expected a mapping, got ${describeValue(value)}`);
      return;
    }
    for (const [key, entry] of Object.entries(value).reverse()) {
      this.problems.at(key, () => {
        const before = writer.length;
        this.value(writer, 2, field.type, entry, depth, false);
        const keyValue = keyKind === 'bool' ? key === 'true' : key;
        this.value(writer, 1, { kind: 'scalar', scalar: keyKind }, keyValue, depth, false);
        writer.delimitedHeader(field.number, writer.length - before);
      });
    }
  }

  /** Writes one value with its tag, or nothing for a default value if `skipDefault` is set. */
  value(
    writer: Writer,
    number: number,
    type: CatalogueType,
    value: unknown,
    depth: number,
    skipDefault: boolean,
  ): void {
    if (type.kind === 'message') {
      const before = writer.length;
      this.named(writer, type.name, value, depth + 1);
      writer.delimitedHeader(number, writer.length - before);
    } else if (this.#leaf(writer, type, value, skipDefault)) writer.tag(number, wireTypeOf(type));
  }

  /** Writes a scalar or enum without its tag; `false` if nothing was written. */
  #leaf(writer: Writer, type: CatalogueType, value: unknown, skipDefault: boolean): boolean {
    if (type.kind !== 'scalar') {
      const number = this.#enum(type.name, value);
      if (number === undefined || (skipDefault && number === 0)) return false;
      writer.int32(number);
      return true;
    }
    const read = readScalar(type.scalar, value);
    if ('problem' in read) {
      this.problems.add(read.problem);
      return false;
    }
    if (skipDefault && read.isDefault) return false;
    writeScalar(writer, type.scalar, read.value);
    return true;
  }

  #enum(name: string, value: unknown): number | undefined {
    if (value === null && name === 'google.protobuf.NullValue') return 0;
    const number = Number(value);
    if ((typeof value === 'number' || typeof value === 'bigint') && number === (number | 0)) return number;
    const names = this.#catalogue.enumType(name)?.byName ?? new Map<string, number>();
    const found = typeof value === 'string' ? names.get(value) : undefined;
    if (found !== undefined) return found;
    const some = [...names.keys()].slice(0, 8).join(', ');
    const hint = (typeof value === 'string' && didYouMean(value, names.keys())) || `: expected ${some}`;
    return this.problems.add(`${describeValue(value)} is not a value of ${name}${hint}`);
  }
}

/** In a Struct, null is a value. Elsewhere it means that the field is not set. */
function isNullable(field: CatalogueField): boolean {
  if (field.type.kind === 'message') return field.type.name === 'google.protobuf.Value';
  return field.type.kind === 'enum' && field.type.name === 'google.protobuf.NullValue';
}

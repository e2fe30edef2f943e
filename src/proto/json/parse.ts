import { fromBase64 } from '../../base/base64.js';
import { didYouMean } from '../../base/nearest.js';
import type { Problems } from '../../base/problem.js';
import { isMapping, say } from '../../base/shape.js';
import { WireType } from '../wire/reader.js';
import { Writer } from '../wire/writer.js';
import type { Catalogue, CatalogueField, CatalogueMessage, CatalogueType, ScalarKind } from './catalogue.js';
import { wireTypeOf } from './leaf.js';
import { readScalar, writeScalar } from './scalar-value.js';
import { typeNameOf } from './type-name.js';
import { writeUnknown } from './unknown-fields.js';
import { hasOwnJsonForm, parseDuration, parseTimestamp, WRAPPERS } from './well-known.js';

const MAX_DEPTH = 200;

/** An Any: a type URL and the bytes of the message. */
export interface AnyBytes {
  typeUrl: string;
  value: Uint8Array;
}

/**
 * Reads an Any in proto JSON (an object with "@type") and encodes it. Whatever `printAny` printed is read back; numbers
 * may be BigInts. Problems are added with their path and `undefined` is returned when there is any.
 */
export function parseAny(catalogue: Catalogue, json: unknown, problems: Problems): AnyBytes | undefined {
  const before = problems.list.length;
  const any = new Encoder(catalogue, problems).any(json, 0);
  return problems.list.length === before ? any : undefined;
}

/** Reads a message of a known type in proto JSON and encodes it. */
export function parseMessage(catalogue: Catalogue, typeName: string, json: unknown, problems: Problems): Uint8Array | undefined {
  const before = problems.list.length;
  const writer = new Writer();
  new Encoder(catalogue, problems).named(writer, typeName, json, 0);
  return problems.list.length === before ? writer.finish() : undefined;
}

class Encoder {
  readonly #catalogue: Catalogue;
  readonly #problems: Problems;

  constructor(catalogue: Catalogue, problems: Problems) {
    this.#catalogue = catalogue;
    this.#problems = problems;
  }

  any(json: unknown, depth: number): AnyBytes | undefined {
    if (!isMapping(json)) return this.#problems.add(`expected a mapping with "@type", got ${say(json)}`) as undefined;
    const { '@type': typeUrl, '@value': raw, '@error': _why, ...rest } = json;
    if (typeof typeUrl !== 'string' || (typeUrl === '' && raw === undefined)) return this.#problems.add('"@type" with the type URL is missing') as undefined;
    if (raw !== undefined) {
      const value = typeof raw === 'string' ? fromBase64(raw) : undefined;
      if (value === undefined) return this.#problems.at('@value', () => this.#problems.add('expected base64')) as undefined;
      return { typeUrl, value };
    }
    const name = typeNameOf(typeUrl);
    if (this.#catalogue.message(name) === undefined) {
      return this.#problems.at('@type', () => this.#problems.add(`unknown type "${name}"; give its bytes as base64 in "@value"`)) as undefined;
    }
    const writer = new Writer();
    if (hasOwnJsonForm(name)) this.#problems.at('value', () => this.named(writer, name, rest.value, depth + 1));
    else this.named(writer, name, rest, depth + 1);
    return { typeUrl, value: writer.finish() };
  }

  named(writer: Writer, name: string, json: unknown, depth: number): void {
    const type = this.#catalogue.message(name);
    if (type === undefined) return this.#problems.add(`no description of ${name}`);
    if (depth > MAX_DEPTH) return this.#problems.add('nested too deeply');
    if (this.#ownForm(writer, type, json, depth)) return;
    if (!isMapping(json)) return this.#problems.add(`expected a mapping (${name}), got ${say(json)}`);
    this.#fields(writer, type, json, depth);
  }

  #fields(writer: Writer, type: CatalogueMessage, json: Record<string, unknown>, depth: number): void {
    const set: { key: string; field: CatalogueField; value: unknown }[] = [];
    for (const [key, value] of Object.entries(json)) {
      const field = type.byName.get(key);
      if (key === '@unknown') this.#unknown(writer, value);
      else if (field === undefined) this.#problems.at(key, () => this.#problems.add(`unknown field in ${type.name}${didYouMean(key, type.byName.keys())}`));
      else if (value !== null || isNullable(field)) set.push({ key, field, value });
    }
    this.#checkTwice(set);
    set.sort((a, b) => b.field.number - a.field.number);
    for (const { key, field, value } of set) this.#problems.at(key, () => this.#field(writer, field, value, depth));
  }

  #checkTwice(set: { key: string; field: CatalogueField }[]): void {
    set.forEach(({ key, field }, i) => {
      const other = set.slice(0, i).find((o) => o.field === field || (o.field.oneof !== undefined && o.field.oneof === field.oneof));
      if (other !== undefined) this.#problems.at(key, () => this.#problems.add(`cannot be set together with "${other.key}"`));
    });
  }

  #unknown(writer: Writer, list: unknown): void {
    if (Array.isArray(list) && [...list].reverse().every((entry) => writeUnknown(writer, entry))) return;
    this.#problems.at('@unknown', () => this.#problems.add('expected a list of {"field": number, "varint" | "fixed32" | "fixed64" | "bytes": value}'));
  }

  #field(writer: Writer, field: CatalogueField, value: unknown, depth: number): void {
    if (field.mapKey !== undefined) return this.#map(writer, field, field.mapKey, value, depth);
    if (!field.repeated) {
      const skipDefault = field.oneof === undefined && field.type.kind !== 'message';
      return this.#value(writer, field.number, field.type, value, depth, skipDefault);
    }
    if (!Array.isArray(value)) return this.#problems.add(`expected a list, got ${say(value)}`);
    const packed = wireTypeOf(field.type) !== WireType.bytes;
    const before = writer.length;
    for (let i = value.length - 1; i >= 0; i--) {
      this.#problems.at(i, () => {
        if (packed) this.#leaf(writer, field.type, value[i], false);
        else this.#value(writer, field.number, field.type, value[i], depth, false);
      });
    }
    if (packed && value.length > 0) writer.delimitedHeader(field.number, writer.length - before);
  }

  #map(writer: Writer, field: CatalogueField, keyKind: ScalarKind, value: unknown, depth: number): void {
    if (!isMapping(value)) return this.#problems.add(`expected a mapping, got ${say(value)}`);
    for (const [key, entry] of Object.entries(value).reverse()) {
      this.#problems.at(key, () => {
        const before = writer.length;
        this.#value(writer, 2, field.type, entry, depth, false);
        this.#value(writer, 1, { kind: 'scalar', scalar: keyKind }, keyKind === 'bool' ? key === 'true' : key, depth, false);
        writer.delimitedHeader(field.number, writer.length - before);
      });
    }
  }

  /** Writes one value with its tag; a default is left out where the field has no presence. */
  #value(writer: Writer, number: number, type: CatalogueType, value: unknown, depth: number, skipDefault: boolean): void {
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
      this.#problems.add(read.problem);
      return false;
    }
    if (skipDefault && read.isDefault) return false;
    writeScalar(writer, type.scalar, read.value);
    return true;
  }

  #enum(name: string, value: unknown): number | undefined {
    const type = this.#catalogue.enumType(name);
    if (typeof value === 'number' || typeof value === 'bigint') {
      if (Number.isInteger(Number(value)) && Math.abs(Number(value)) <= 0x7fffffff) return Number(value);
    } else if (typeof value === 'string') {
      const number = type?.byName.get(value);
      if (number !== undefined) return number;
      const names = [...(type?.byName.keys() ?? [])];
      this.#problems.add(`unknown value "${value}" of ${name}${didYouMean(value, names) || `: expected ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}`}`);
      return undefined;
    } else if (value === null && name === 'google.protobuf.NullValue') return 0;
    this.#problems.add(`expected a name or number of ${name}, got ${say(value)}`);
    return undefined;
  }

  /** Writes a well-known type from its JSON form; `false` where the ordinary form applies. */
  #ownForm(writer: Writer, type: CatalogueMessage, json: unknown, depth: number): boolean {
    if (WRAPPERS.has(type.name)) {
      this.#value(writer, 1, (type.byNumber.get(1) as CatalogueField).type, json, depth, true);
      return true;
    }
    switch (type.name) {
      case 'google.protobuf.Duration':
        return this.#time(writer, json, parseDuration, 'a duration such as "1.5s"');
      case 'google.protobuf.Timestamp':
        return this.#time(writer, json, parseTimestamp, 'a time such as "2026-01-31T12:00:00Z"');
      case 'google.protobuf.Any':
        return this.#nestedAny(writer, json, depth);
      case 'google.protobuf.Struct':
        if (isMapping(json)) this.#map(writer, type.byNumber.get(1) as CatalogueField, 'string', json, depth);
        else this.#problems.add(`expected a mapping, got ${say(json)}`);
        return true;
      case 'google.protobuf.ListValue':
        this.#field(writer, type.byNumber.get(1) as CatalogueField, json, depth);
        return true;
      case 'google.protobuf.Value':
        this.#structValue(writer, type, json, depth);
        return true;
      case 'google.protobuf.FieldMask':
        return this.#fieldMask(writer, json);
      default:
        return false;
    }
  }

  /** Also takes {seconds, nanos}, the only way to write a value that is out of range. */
  #time(writer: Writer, json: unknown, parse: (text: string) => { seconds: bigint; nanos: number } | undefined, what: string): boolean {
    if (isMapping(json)) return false;
    const parsed = typeof json === 'string' ? parse(json) : undefined;
    if (parsed === undefined) this.#problems.add(`expected ${what}, got ${say(json)}`);
    else {
      if (parsed.nanos !== 0) {
        writer.int32(parsed.nanos);
        writer.tag(2, WireType.varint);
      }
      if (parsed.seconds !== 0n) {
        writer.varint64(parsed.seconds);
        writer.tag(1, WireType.varint);
      }
    }
    return true;
  }

  #nestedAny(writer: Writer, json: unknown, depth: number): boolean {
    if (isMapping(json) && Object.keys(json).length === 0) return true;
    const any = this.any(json, depth + 1);
    if (any === undefined) return true;
    if (any.value.length > 0) writer.blobField(2, any.value);
    writer.stringField(1, any.typeUrl);
    return true;
  }

  #structValue(writer: Writer, type: CatalogueMessage, json: unknown, depth: number): void {
    const kind = json === null ? 'null_value' : Array.isArray(json) ? 'list_value' : isMapping(json) ? 'struct_value' : VALUE_KINDS[typeof json];
    if (kind === undefined) this.#problems.add(`expected a JSON value, got ${say(json)}`);
    else this.#field(writer, type.byName.get(kind) as CatalogueField, typeof json === 'bigint' ? Number(json) : json, depth);
  }

  #fieldMask(writer: Writer, json: unknown): boolean {
    if (typeof json !== 'string') this.#problems.add(`expected paths joined by commas, got ${say(json)}`);
    else for (const path of json.split(',').reverse()) if (path !== '') writer.stringField(1, path.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`));
    return true;
  }
}

const VALUE_KINDS: Record<string, string | undefined> = { boolean: 'bool_value', string: 'string_value', number: 'number_value', bigint: 'number_value' };

/** In a Struct, null is a value; elsewhere it means "not set". */
function isNullable(field: CatalogueField): boolean {
  if (field.type.kind === 'message') return field.type.name === 'google.protobuf.Value';
  return field.type.kind === 'enum' && field.type.name === 'google.protobuf.NullValue';
}

import { toBase64 } from '../../base/base64.js';
import { REDACTED } from '../../base/secret-name.js';
import { newAny, readAny } from '../generated/google.protobuf.js';
import { Malformed } from '../wire/malformed.js';
import { Reader } from '../wire/reader.js';
import type { Catalogue, CatalogueField, CatalogueMessage, CatalogueType } from './catalogue.js';
import { defaultLeaf } from './leaf.js';
import { mergeSlices, type Occurrences, readOccurrences } from './occurrences.js';
import {
  HEADER_VALUE,
  hasSecretField,
  mayContainSecrets,
  redacted,
  redactedHeader,
  redactedUnknown,
} from './secrets.js';
import { typeNameOf } from './type-name.js';
import { formatDuration, formatTimestamp, hasCustomJson, type Json, WRAPPERS } from './well-known.js';

/** Messages that are nested deeper than this, also in Anys, are printed as bytes. */
const MAX_DEPTH = 200;

export interface PrintOptions {
  /** Print secret fields like any other field. */
  showSecrets: boolean;
}

/**
 * Prints an Any as proto JSON without losing data. If the catalogue lacks the type or the bytes cannot be decoded, the
 * output has the bytes as base64 in `@value` and the reason in `@error`. Unknown fields are printed under `@unknown`.
 * Secrets are replaced by `[redacted]` unless `showSecrets` is set.
 */
export function printAny(
  catalogue: Catalogue,
  typeUrl: string,
  value: Uint8Array,
  { showSecrets }: PrintOptions = { showSecrets: true },
): Json {
  return new Printer(catalogue, showSecrets).any(typeUrl, value, 0);
}

class Printer {
  readonly #catalogue: Catalogue;
  readonly #showSecrets: boolean;

  constructor(catalogue: Catalogue, showSecrets: boolean) {
    this.#catalogue = catalogue;
    this.#showSecrets = showSecrets;
  }

  any(typeUrl: string, value: Uint8Array, depth: number): Json {
    const type = this.#catalogue.message(typeNameOf(typeUrl));
    const raw = (error: string): Json => ({ '@type': typeUrl, '@error': error, '@value': toBase64(value) });
    if (type === undefined) return raw('type not known');
    try {
      const printed = this.#message(type, value, depth);
      if (hasCustomJson(type.name)) return { '@type': typeUrl, value: printed };
      return { '@type': typeUrl, ...(printed as { [key: string]: Json }) };
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      const isHidden = !this.#showSecrets && mayContainSecrets(this.#catalogue, type);
      return isHidden ? { '@type': typeUrl, '@error': error.message, '@value': REDACTED } : raw(error.message);
    }
  }

  #message(type: CatalogueMessage, bytes: Uint8Array, depth: number): Json {
    const reader = new Reader(bytes);
    if (depth > MAX_DEPTH) reader.fail('nested too deeply to show');
    if (type.name === 'google.protobuf.Any') {
      const any = readAny(reader, newAny());
      return bytes.length === 0 ? {} : this.any(any.typeUrl, any.value, depth + 1);
    }
    const { found, unknown } = readOccurrences(this.#catalogue, type, reader);
    const wellKnown = this.#wellKnown(type, found, depth);
    if (wellKnown !== undefined && unknown.length === 0) return wellKnown;
    const entries: [string, Json][] = [];
    for (const field of type.byNumber.values()) {
      const occurrences = found.get(field.number);
      if (occurrences !== undefined && this.#isPrinted(occurrences))
        entries.push([field.jsonName, this.#printField(occurrences, depth)]);
    }
    if (unknown.length > 0) entries.push(['@unknown', this.#printUnknown(type, unknown)]);
    const printed = Object.fromEntries(entries);
    return this.#showSecrets || type.name !== HEADER_VALUE ? printed : redactedHeader(printed);
  }

  #printField(occurrences: Occurrences, depth: number): Json {
    const printed = this.#field(occurrences, depth);
    return this.#showSecrets || !occurrences.field.sensitive ? printed : redacted(printed, occurrences.field.type);
  }

  /** In a message with secret fields, an unknown field from a newer API is probably secret too. */
  #printUnknown(type: CatalogueMessage, unknown: Json[]): Json {
    return this.#showSecrets || !hasSecretField(type) ? unknown : redactedUnknown(unknown);
  }

  /** Proto JSON omits a field without presence if it has its default value. */
  #isPrinted({ field, leaves }: Occurrences): boolean {
    if (field.mapKey !== undefined || field.repeated || field.type.kind === 'message' || field.oneof !== undefined)
      return true;
    return leaves.at(-1) !== defaultLeaf(this.#catalogue, field.type);
  }

  #field({ field, leaves, slices }: Occurrences, depth: number): Json {
    if (field.mapKey !== undefined) return Object.fromEntries(slices.map((slice) => this.#entry(field, slice, depth)));
    if (field.type.kind !== 'message') return field.repeated ? leaves : (leaves.at(-1) as Json);
    const name = field.type.name;
    if (field.repeated) return slices.map((slice) => this.#named(name, slice, depth + 1));
    return this.#named(name, mergeSlices(slices), depth + 1);
  }

  #named(name: string, bytes: Uint8Array, depth: number): Json {
    const type = this.#catalogue.message(name);
    if (type === undefined) throw new Malformed(`unknown message type ${name}`, 0);
    return this.#message(type, bytes, depth);
  }

  #entry(field: CatalogueField, bytes: Uint8Array, depth: number): [string, Json] {
    const keyType: CatalogueType = { kind: 'scalar', scalar: field.mapKey as NonNullable<CatalogueField['mapKey']> };
    const entryField = (number: number, name: string, type: CatalogueType): [number, CatalogueField] => [
      number,
      { number, name, jsonName: name, type, repeated: false, mapKey: undefined, oneof: undefined, sensitive: false },
    ];
    const entryType = {
      name: 'entry',
      byNumber: new Map([entryField(1, 'key', keyType), entryField(2, 'value', field.type)]),
      byName: new Map(),
    };
    const { found } = readOccurrences(this.#catalogue, entryType, new Reader(bytes));
    const key = found.get(1)?.leaves.at(-1) ?? defaultLeaf(this.#catalogue, keyType);
    if (field.type.kind === 'message')
      return [String(key), this.#named(field.type.name, mergeSlices(found.get(2)?.slices ?? []), depth + 1)];
    return [String(key), found.get(2)?.leaves.at(-1) ?? defaultLeaf(this.#catalogue, field.type)];
  }

  /**
   * Returns the JSON of a well-known type; `undefined` for other types, and for values that its JSON form cannot
   * represent.
   */
  #wellKnown(type: CatalogueMessage, found: Map<number, Occurrences>, depth: number): Json | undefined {
    const leaf = (number: number): Json | undefined => found.get(number)?.leaves.at(-1);
    if (WRAPPERS.has(type.name))
      return leaf(1) ?? defaultLeaf(this.#catalogue, (type.byNumber.get(1) as CatalogueField).type);
    const time = (): [bigint, number] => [BigInt((leaf(1) as string | undefined) ?? 0), Number(leaf(2) ?? 0)];
    switch (type.name) {
      case 'google.protobuf.Duration':
        return formatDuration(...time());
      case 'google.protobuf.Timestamp':
        return formatTimestamp(...time());
      case 'google.protobuf.Struct':
        return found.has(1) ? this.#field(found.get(1) as Occurrences, depth) : {};
      case 'google.protobuf.ListValue':
        return found.has(1) ? this.#field(found.get(1) as Occurrences, depth) : [];
      case 'google.protobuf.Value':
        return this.#value(found, depth);
      case 'google.protobuf.FieldMask':
        return (found.get(1)?.leaves ?? []).map((path) => lowerCamelPath(String(path))).join(',');
      default:
        return undefined;
    }
  }

  #value(found: Map<number, Occurrences>, depth: number): Json | undefined {
    const [set] = found.values();
    if (set === undefined) return undefined;
    return set.field.name === 'null_value' ? null : this.#field(set, depth);
  }
}

function lowerCamelPath(path: string): string {
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

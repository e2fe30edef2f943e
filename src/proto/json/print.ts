import { toBase64 } from '../../base/base64.js';
import { REDACTED, redactText } from '../../base/secret-name.js';
import { newAny, readAny } from '../generated/google.protobuf.js';
import { Malformed } from '../wire/malformed.js';
import { Reader } from '../wire/reader.js';
import type { Catalogue, CatalogueField, CatalogueMessage, CatalogueType } from './catalogue.js';
import { defaultLeaf } from './leaf.js';
import { mergeSlices, type Occurrences, type Omitted, readOccurrences } from './occurrences.js';
import {
  hasSecretField,
  mayContainSecrets,
  redacted,
  redactedByName,
  redactedEntry,
  redactedUnknown,
} from './secrets.js';
import { typeNameOf } from './type-name.js';
import { formatDuration, formatTimestamp, hasCustomJson, type Json, WRAPPERS } from './well-known.js';

/** Messages that are nested deeper than this, also in Anys, are printed as bytes. */
const MAX_DEPTH = 200;

/** Of a resource with more values than this, the rest is counted. Real resources have a tenth of them. */
const MAX_VALUES = 500_000;

/** Bytes that cannot be decoded are printed up to this length. */
const MAX_RAW_BYTES = 16 * 1024 * 1024;

export interface PrintOptions {
  /** Print secret fields like any other field. */
  showSecrets: boolean;
}

/**
 * Prints an Any as proto JSON without losing data. If the catalogue lacks the type or the bytes cannot be decoded, the
 * output has the bytes as base64 in `@value` and the reason in `@error`. Unknown fields are printed under `@unknown`.
 * Secrets are replaced by `[redacted]` unless `showSecrets` is set. If there are too many values to print, `@omitted` has
 * the number and size of the values that are missing, by field.
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
  /** How many more values are printed. */
  #left = MAX_VALUES;

  constructor(catalogue: Catalogue, showSecrets: boolean) {
    this.#catalogue = catalogue;
    this.#showSecrets = showSecrets;
  }

  any(typeUrl: string, value: Uint8Array, depth: number): Json {
    const type = this.#catalogue.message(typeNameOf(typeUrl));
    const raw = (error: string): Json => ({ '@type': typeUrl, '@error': error, ...rawValue(value) });
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
      // As in proto JSON, an Any without a type and without bytes is an empty object.
      return any.typeUrl === '' && any.value.length === 0 ? {} : this.any(any.typeUrl, any.value, depth + 1);
    }
    const { found, unknown, omittedUnknown } = readOccurrences(this.#catalogue, type, reader, Math.max(0, this.#left));
    this.#left--;
    const wellKnown = this.#wellKnown(type, found, depth);
    const isCustom = wellKnown !== undefined && unknown.length === 0 && !hasUnknown(wellKnown);
    if (isCustom) return wellKnown;
    const entries: [string, Json][] = [];
    const omitted: [string, Json][] = [];
    for (const field of type.byNumber.values()) {
      const occurrences = found.get(field.number);
      if (occurrences === undefined || !this.#isPrinted(occurrences)) continue;
      const isEmpty = occurrences.leaves.length + occurrences.slices.length === 0;
      if (!isEmpty) entries.push([field.jsonName, this.#printField(occurrences, depth)]);
      // Printing adds the elements for which nothing was left.
      if (occurrences.omitted.count > 0) omitted.push([field.jsonName, { ...occurrences.omitted }]);
    }
    if (unknown.length > 0 || wellKnown !== undefined) entries.push(['@unknown', this.#printUnknown(type, unknown)]);
    if (omittedUnknown.count > 0) omitted.push(['@unknown', { ...omittedUnknown }]);
    if (omitted.length > 0) entries.push(['@omitted', Object.fromEntries(omitted)]);
    const printed = Object.fromEntries(entries);
    return this.#showSecrets ? printed : redactedByName(type.name, printed);
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

  #field({ field, leaves, slices, omitted }: Occurrences, depth: number): Json {
    if (field.mapKey !== undefined) {
      const entry = (slice: Uint8Array) => this.#shownEntry(field, this.#entry(field, slice, depth));
      return Object.fromEntries(this.#each(slices, omitted, entry));
    }
    if (field.type.kind !== 'message') {
      this.#left -= leaves.length;
      const shown = leaves.map((leaf) => this.#leaf(leaf));
      return field.repeated ? shown : (shown.at(-1) as Json);
    }
    const name = field.type.name;
    if (field.repeated) return this.#each(slices, omitted, (slice) => this.#named(name, slice, depth + 1));
    return this.#named(name, mergeSlices(slices), depth + 1);
  }

  /** Keys of Structs and of maps of texts name their values; those of other maps name resources or filters. */
  #shownEntry({ type }: CatalogueField, entry: [string, Json]): [string, Json] {
    if (this.#showSecrets) return entry;
    const isNamed = type.kind === 'scalar' || (type.kind === 'message' && type.name === 'google.protobuf.Value');
    return isNamed ? redactedEntry([entry[0], this.#leaf(entry[1])]) : entry;
  }

  #leaf(leaf: Json): Json {
    return typeof leaf === 'string' && !this.#showSecrets ? redactText(leaf) : leaf;
  }

  /** Prints elements while there are values left, and counts the others. */
  #each<T>(slices: readonly Uint8Array[], omitted: Omitted, print: (slice: Uint8Array) => T): T[] {
    const printed: T[] = [];
    for (const slice of slices) {
      if (this.#left > 0) printed.push(print(slice));
      else {
        omitted.count++;
        omitted.bytes += slice.length;
      }
    }
    return printed;
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

/**
 * Whether a Struct or Value would be read as its ordinary form: it contains a message with unknown fields, or has a key of
 * that name. Then it is printed in its ordinary form, with a list of unknown fields that may be empty.
 */
function hasUnknown(json: Json): boolean {
  return typeof json === 'object' && json !== null && '@unknown' in json;
}

function rawValue(value: Uint8Array): { [key: string]: Json } {
  if (value.length <= MAX_RAW_BYTES) return { '@value': toBase64(value) };
  const rest = value.length - MAX_RAW_BYTES;
  return {
    '@value': toBase64(value.subarray(0, MAX_RAW_BYTES)),
    '@omitted': { '@value': { count: 1, bytes: rest } },
  };
}

function lowerCamelPath(path: string): string {
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

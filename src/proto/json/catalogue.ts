import { CATALOGUE } from '../generated/catalogue.js';
import { lowerCamel } from '../lower-camel.js';
import type { Scalar } from '../wire/scalars.js';

export type CatalogueType =
  | { kind: 'scalar'; scalar: Scalar }
  | { kind: 'message'; name: string }
  | { kind: 'enum'; name: string };

export interface CatalogueField {
  number: number;
  /** The name in the .proto file. */
  name: string;
  jsonName: string;
  type: CatalogueType;
  repeated: boolean;
  mapKey: Scalar | undefined;
  /** The number of the oneof that contains the field. A scalar field without one has no presence. */
  oneof: number | undefined;
  /** The value is a secret: the API annotates the field with `udpa.annotations.sensitive`. */
  sensitive: boolean;
}

export interface CatalogueMessage {
  name: string;
  byNumber: ReadonlyMap<number, CatalogueField>;
  /** Fields by .proto name and by JSON name: proto JSON accepts both. */
  byName: ReadonlyMap<string, CatalogueField>;
}

export interface CatalogueEnum {
  name: string;
  byNumber: ReadonlyMap<number, string>;
  byName: ReadonlyMap<string, number>;
}

/** Descriptions of messages and enums by full name. */
export interface Catalogue {
  message(name: string): CatalogueMessage | undefined;
  enumType(name: string): CatalogueEnum | undefined;
  /** Full names of all messages. */
  messageNames(): Iterable<string>;
}

const SCALARS: Record<string, Scalar> = {
  d: 'double',
  f: 'float',
  i: 'int32',
  u: 'uint32',
  z: 'sint32',
  x: 'fixed32',
  y: 'sfixed32',
  I: 'int64',
  U: 'uint64',
  Z: 'sint64',
  X: 'fixed64',
  Y: 'sfixed64',
  b: 'bool',
  s: 'string',
  B: 'bytes',
};

const FIELD = /^(\d+) (\w+) (?:([a-zA-Z])>)?([a-zA-Z])(\d*)(\*?)(?:@(\d+))?(!?)$/;

const indexes = new Map<string, number>();
CATALOGUE.names.forEach((name, index) => {
  indexes.set(name, index);
});
const messages = new Map<string, CatalogueMessage>();
const enums = new Map<string, CatalogueEnum>();

/** The whole xDS v3 API. Entries are parsed on first use. */
export const xdsCatalogue: Catalogue = {
  message(name) {
    return memoized(messages, name, (index) =>
      index < CATALOGUE.messages ? parseMessage(name, CATALOGUE.texts[index] as string) : undefined,
    );
  },
  enumType(name) {
    return memoized(enums, name, (index) =>
      index < CATALOGUE.messages ? undefined : parseEnum(name, CATALOGUE.texts[index] as string),
    );
  },
  messageNames() {
    return CATALOGUE.names.slice(0, CATALOGUE.messages);
  },
};

/** The full names of all messages and enums in the catalogue. */
export const catalogueNames: readonly string[] = CATALOGUE.names;

/** The number of messages in the catalogue. */
export const catalogueSize: number = CATALOGUE.messages;

function memoized<T>(memo: Map<string, T>, name: string, make: (index: number) => T | undefined): T | undefined {
  const known = memo.get(name);
  if (known !== undefined) return known;
  const index = indexes.get(name);
  const made = index === undefined ? undefined : make(index);
  if (made !== undefined) memo.set(name, made);
  return made;
}

function parseMessage(name: string, text: string): CatalogueMessage {
  return describeMessage(name, text === '' ? [] : text.split(',').map(parseField));
}

export function describeMessage(name: string, fields: readonly CatalogueField[]): CatalogueMessage {
  const byName = fields.flatMap((field) => [[field.name, field] as const, [field.jsonName, field] as const]);
  return { name, byNumber: new Map(fields.map((field) => [field.number, field])), byName: new Map(byName) };
}

function parseField(entry: string): CatalogueField {
  const [, number, name, mapKey, letter, index, star, oneof, secret] = FIELD.exec(entry) as unknown as string[];
  return {
    number: Number(number),
    name: name as string,
    jsonName: lowerCamel(name as string),
    type: parseType(letter as string, index as string),
    repeated: star === '*',
    mapKey: mapKey === undefined ? undefined : SCALARS[mapKey],
    oneof: oneof === undefined ? undefined : Number(oneof),
    sensitive: secret === '!',
  };
}

function parseType(letter: string, index: string): CatalogueType {
  if (index === '') return { kind: 'scalar', scalar: SCALARS[letter] as Scalar };
  return { kind: letter === 'm' ? 'message' : 'enum', name: CATALOGUE.names[Number(index)] as string };
}

function parseEnum(name: string, text: string): CatalogueEnum {
  const values = text.split(',').map((entry) => {
    const [number, value] = entry.split(' ') as [string, string];
    return { name: value, number: Number(number) };
  });
  return describeEnum(name, values);
}

/** Describes an enum. If a number has several names, the first is printed. */
export function describeEnum(name: string, values: readonly { name: string; number: number }[]): CatalogueEnum {
  const byNumber = new Map<number, string>();
  for (const value of values) if (!byNumber.has(value.number)) byNumber.set(value.number, value.name);
  return { name, byNumber, byName: new Map(values.map((value) => [value.name, value.number])) };
}

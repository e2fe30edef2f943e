import { joinBytes } from '../base/bytes.js';
import type { PathStep } from '../base/problem.js';
import { Any } from '../proto/generated/google.protobuf.js';
import {
  type CatalogueField,
  type CatalogueMessage,
  type CatalogueType,
  xdsCatalogue,
} from '../proto/json/catalogue.js';
import { accepts, wireTypeOf } from '../proto/json/leaf.js';
import { encode } from '../proto/message-type.js';
import { Reader, WireType } from '../proto/wire/reader.js';

/** A scalar or enum as in the message: enums are numbers, 64-bit integers are BigInts. */
export type Leaf = string | number | bigint | boolean | Uint8Array;

/** An entry of a map field. */
type MapEntry = readonly [key: Leaf, value: Leaf | MessageView];

/** The values of a field in wire order: scalars, or the bytes of messages and map entries. */
interface FieldValues {
  field: CatalogueField;
  leaves: Leaf[];
  slices: Uint8Array[];
}

/** A field that the catalogue lacks, or whose wire type differs from it. */
export interface UnknownField {
  tag: number;
  value: Uint8Array;
}

/**
 * A message with all fields of the published API, decoded one level at a time: rules of implementations read few parts
 * of a resource, which can be very large.
 */
export class MessageView {
  readonly type: CatalogueMessage;
  readonly bytes: Uint8Array;
  /** The number of messages around it, including those around an Any. */
  readonly depth: number;
  readonly #outer: MessageView | undefined;
  readonly #inOuter: readonly PathStep[];
  #fields: Map<number, FieldValues> | undefined;
  #unknown: UnknownField[] = [];

  constructor(typeName: string, bytes: Uint8Array, outer?: MessageView, inOuter: readonly PathStep[] = []) {
    this.type = messageType(typeName);
    this.bytes = bytes;
    this.depth = outer === undefined ? 0 : outer.depth + 1;
    this.#outer = outer;
    this.#inOuter = inOuter;
  }

  /** An Any outside of a message. */
  static ofAny(any: Any): MessageView {
    return new MessageView(Any.typeName, encode(Any, any));
  }

  /** The position in the resource. */
  get steps(): PathStep[] {
    return [...(this.#outer?.steps ?? []), ...this.#inOuter];
  }

  /** The position in the resource as text, with the names of the .proto files. */
  get path(): string {
    const outer = this.#outer?.path ?? '';
    const [field, key] = this.#inOuter;
    if (field === undefined) return outer;
    return `${outer === '' ? '' : `${outer}.`}${field}${key === undefined ? '' : `[${key}]`}`;
  }

  /** Whether a field is set. A scalar without presence is set if it does not have its default value. */
  has(name: string): boolean {
    return this.#values(name) !== undefined;
  }

  /** The name of the field of a oneof that is set; `member` is the name of any of its fields. */
  setMemberOf(member: string): string | undefined {
    const oneof = this.#field(member).oneof;
    for (const { field } of this.setFields()) if (field.oneof === oneof) return field.name;
    return undefined;
  }

  text(name: string): string {
    return (this.#last(name) as string | undefined) ?? '';
  }

  number(name: string): number {
    return (this.#last(name) as number | undefined) ?? 0;
  }

  big(name: string): bigint {
    return (this.#last(name) as bigint | undefined) ?? 0n;
  }

  flag(name: string): boolean {
    return (this.#last(name) as boolean | undefined) ?? false;
  }

  blob(name: string): Uint8Array {
    return (this.#last(name) as Uint8Array | undefined) ?? new Uint8Array(0);
  }

  texts(name: string): string[] {
    return (this.#values(name)?.leaves ?? []) as string[];
  }

  numbers(name: string): number[] {
    return (this.#values(name)?.leaves ?? []) as number[];
  }

  /** The number of elements of a list of messages. */
  count(name: string): number {
    return this.#values(name)?.slices.length ?? 0;
  }

  message(name: string): MessageView | undefined {
    const values = this.#values(name);
    return values && this.#inside(values.field, merged(values.slices), [name]);
  }

  *messages(name: string): Generator<MessageView> {
    const values = this.#values(name);
    let index = 0;
    for (const slice of values?.slices ?? []) yield this.#inside(this.#field(name), slice, [name, index++]);
  }

  /** The entries of a map, in the order of their first occurrence; the last value of a key wins. */
  entries(name: string): Map<Leaf, Leaf | MessageView> {
    const values = this.#values(name);
    const entries = new Map<Leaf, Leaf | MessageView>();
    for (const slice of values?.slices ?? []) {
      const [key, value] = this.#entry((values as FieldValues).field, slice);
      entries.set(key, value);
    }
    return entries;
  }

  messageEntries(name: string): [string, MessageView][] {
    return [...this.entries(name)] as [string, MessageView][];
  }

  /** A message that this one contains as bytes, at the same position: the contents of an Any. The bytes must be valid. */
  holding(typeName: string, bytes: Uint8Array): MessageView {
    return new MessageView(typeName, bytes, this);
  }

  /** The fields that are set, by number. */
  setFields(): { field: CatalogueField; leaves: readonly Leaf[] }[] {
    return [...this.#all().values()].filter(isSet);
  }

  /** Messages of a field, singular or repeated. */
  elements(field: CatalogueField): Iterable<MessageView> {
    if (field.repeated) return this.messages(field.name);
    const message = this.message(field.name);
    return message === undefined ? [] : [message];
  }

  get unknownFields(): readonly UnknownField[] {
    this.#all();
    return this.#unknown;
  }

  #field(name: string): CatalogueField {
    const field = this.type.byName.get(name);
    if (field === undefined) throw new Error(`${this.type.name} has no field ${name}`);
    return field;
  }

  #values(name: string): FieldValues | undefined {
    const values = this.#all().get(this.#field(name).number);
    return values !== undefined && isSet(values) ? values : undefined;
  }

  #last(name: string): Leaf | undefined {
    return this.#values(name)?.leaves.at(-1);
  }

  #inside(field: CatalogueField, bytes: Uint8Array, steps: readonly PathStep[]): MessageView {
    return new MessageView((field.type as { name: string }).name, bytes, this, steps);
  }

  #entry(field: CatalogueField, slice: Uint8Array): MapEntry {
    const keyType: CatalogueType = { kind: 'scalar', scalar: field.mapKey as NonNullable<CatalogueField['mapKey']> };
    const { fields } = readFields(entryType(field, keyType), slice);
    const key = fields.get(1)?.leaves.at(-1) ?? zeroOf(keyType);
    const value = fields.get(2);
    if (field.type.kind !== 'message') return [key, value?.leaves.at(-1) ?? zeroOf(field.type)];
    return [key, this.#inside(field, merged(value?.slices ?? []), [field.name, String(key)])];
  }

  #all(): Map<number, FieldValues> {
    if (this.#fields === undefined) {
      const { fields, unknown } = readFields(this.type, this.bytes);
      this.#fields = fields;
      this.#unknown = unknown;
    }
    return this.#fields;
  }
}

function messageType(name: string): CatalogueMessage {
  const type = xdsCatalogue.message(name);
  if (type === undefined) throw new Error(`unknown message type ${name}`);
  return type;
}

function entryType({ type }: CatalogueField, keyType: CatalogueType): CatalogueMessage {
  const entryField = (number: number, name: string, inEntry: CatalogueType): [number, CatalogueField] => [
    number,
    // The members of an entry have presence.
    {
      number,
      name,
      jsonName: name,
      type: inEntry,
      repeated: false,
      mapKey: undefined,
      oneof: -number,
      sensitive: false,
    },
  ];
  const byNumber = new Map([entryField(1, 'key', keyType), entryField(2, 'value', type)]);
  return { name: 'entry', byNumber, byName: new Map() };
}

/** Whether proto3 counts a field as set. */
function isSet({ field, leaves, slices }: FieldValues): boolean {
  if (slices.length > 0) return true;
  if (field.repeated || field.oneof !== undefined) return leaves.length > 0;
  const value = leaves.at(-1);
  return value instanceof Uint8Array ? value.length > 0 : Boolean(value) || Number.isNaN(value);
}

function zeroOf(type: CatalogueType): Leaf {
  if (type.kind !== 'scalar') return 0;
  if (type.scalar === 'string') return '';
  if (type.scalar === 'bytes') return new Uint8Array(0);
  if (type.scalar === 'bool') return false;
  return type.scalar.endsWith('64') ? 0n : 0;
}

/** Protobuf defines merging of the occurrences of a singular message as concatenation. */
function merged(slices: readonly Uint8Array[]): Uint8Array {
  const [first] = slices;
  return first !== undefined && slices.length === 1 ? first : joinBytes([...slices]);
}

function readFields(
  type: CatalogueMessage,
  bytes: Uint8Array,
): { fields: Map<number, FieldValues>; unknown: UnknownField[] } {
  const reader = new Reader(bytes);
  const fields = new Map<number, FieldValues>();
  const unknown: UnknownField[] = [];
  while (reader.pos < reader.end) {
    // Some decoders accept overlong tags of up to ten bytes.
    const tag = reader.uint32();
    const field = type.byNumber.get(tag >>> 3);
    if (field !== undefined && accepts(field, tag & 7)) {
      readValue(reader, tag, valuesOf(fields, field));
      continue;
    }
    const from = reader.pos;
    reader.skip(tag);
    unknown.push({ tag, value: bytes.subarray(from, reader.pos) });
  }
  return { fields, unknown };
}

/** The last member of a oneof wins. */
function valuesOf(fields: Map<number, FieldValues>, field: CatalogueField): FieldValues {
  if (field.oneof !== undefined)
    for (const [number, other] of fields)
      if (number !== field.number && other.field.oneof === field.oneof) fields.delete(number);
  let values = fields.get(field.number);
  if (values === undefined) {
    values = { field, leaves: [], slices: [] };
    fields.set(field.number, values);
  }
  return values;
}

function readValue(reader: Reader, tag: number, { field, leaves, slices }: FieldValues): void {
  if (field.mapKey !== undefined || field.type.kind === 'message') slices.push(reader.blob());
  else if (!field.repeated) leaves[0] = readLeaf(reader, field.type);
  else if ((tag & 7) === WireType.bytes && wireTypeOf(field.type) !== WireType.bytes)
    reader.packed(() => leaves.push(readLeaf(reader, field.type)));
  else leaves.push(readLeaf(reader, field.type));
}

function readLeaf(reader: Reader, type: CatalogueType): Leaf {
  if (type.kind !== 'scalar') return reader.int32();
  return type.scalar === 'bytes' ? reader.blob() : reader[type.scalar]();
}

import { type CatalogueField, type CatalogueMessage, xdsCatalogue } from '../../proto/json/catalogue.js';
import { lowerCamel } from '../../proto/lower-camel.js';
import type { Scalar } from '../../proto/wire/scalars.js';
import { isLacking, removedFields, removedMessage } from './api-differences.js';
import { MAX_DEPTH, ProtobufJsReader } from './protobufjs-reader.js';
import { missingValue, ThrownError } from './thrown-error.js';

export type Leaf = string | number | bigint | boolean | Uint8Array;
export type Element = Leaf | ProtobufJsMessage;
/** A map without a value for a key of a message type has undefined. */
export type Value = Element | Element[] | Map<string, Element | undefined>;

/**
 * A message as @grpc/proto-loader presents it. Unlike in proto JSON, several fields of a oneof may be set, and the last
 * occurrence of a message field replaces the others.
 */
export class ProtobufJsMessage {
  readonly #type: CatalogueMessage;
  readonly #values: Record<string, Value> = {};

  constructor(type: CatalogueMessage) {
    this.#type = type;
  }

  get typeName(): string {
    return this.#type.name;
  }

  /** Whether a field that has presence is set. */
  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  text(name: string): string {
    return (this.#values[name] as string | undefined) ?? '';
  }

  /** Returns a number of at most 32 bits or a float. */
  number(name: string): number {
    return (this.#values[name] as number | undefined) ?? 0;
  }

  /** Returns a number of 64 bits as text, as proto-loader does. */
  long(name: string): string {
    return String((this.#values[name] as bigint | undefined) ?? 0n);
  }

  bool(name: string): boolean {
    return (this.#values[name] as boolean | undefined) ?? false;
  }

  bytes(name: string): Uint8Array {
    return (this.#values[name] as Uint8Array | undefined) ?? new Uint8Array(0);
  }

  message(name: string): ProtobufJsMessage | undefined {
    return this.#values[name] as ProtobufJsMessage | undefined;
  }

  messages(name: string): readonly ProtobufJsMessage[] {
    return (this.#values[name] as ProtobufJsMessage[] | undefined) ?? [];
  }

  texts(name: string): readonly string[] {
    return (this.#values[name] as string[] | undefined) ?? [];
  }

  numbers(name: string): readonly number[] {
    return (this.#values[name] as number[] | undefined) ?? [];
  }

  /** The entries of a map in the order of JavaScript: numbers first. */
  entries(name: string): [string, ProtobufJsMessage][] {
    const map = this.#values[name] as Map<string, ProtobufJsMessage> | undefined;
    return map === undefined ? [] : Object.entries(Object.fromEntries(map));
  }

  /** The name of an enum value; its number if it has no name. */
  enumName(name: string): string | number {
    const { type } = this.#type.byName.get(name) as CatalogueField;
    const number = this.number(name);
    return (type.kind === 'enum' ? xdsCatalogue.enumType(type.name)?.byNumber.get(number) : undefined) ?? number;
  }

  /** The set field of the oneof that contains `name`: protobufjs names the one with the highest number. */
  chosen(name: string): string | undefined {
    for (const other of planOf(this.#type.name).oneofs.get(name) ?? []) if (this.has(other)) return other;
    return undefined;
  }

  /** Sets a field, or adds an element to a list. */
  set({ name, repeated }: CatalogueField, value: Element): void {
    if (!repeated) {
      this.#values[name] = value;
      return;
    }
    const list = this.#values[name] as Element[] | undefined;
    if (list === undefined) this.#values[name] = [value];
    else list.push(value);
  }

  /** The set fields with their values, by number. Of a oneof, only the chosen one. */
  *fields(): Generator<[CatalogueField, Value]> {
    for (const field of this.#type.byNumber.values()) {
      const value = this.#values[field.name];
      if (value !== undefined && (field.oneof === undefined || this.chosen(field.name) === field.name))
        yield [field, value];
    }
  }

  mapOf({ name }: CatalogueField): Map<string, Element | undefined> {
    const map = (this.#values[name] as Map<string, Element | undefined> | undefined) ?? new Map();
    this.#values[name] = map;
    return map;
  }
}

/** Decodes a message. Throws the error of protobufjs if it cannot be decoded. */
export function decodeAsProtobufJs(typeName: string, bytes: Uint8Array): ProtobufJsMessage {
  const decoder = new Decoder(bytes);
  const message = decoder.message(typeName, undefined, 0);
  if (decoder.missingField !== undefined) throw missingValue('null', decoder.missingField);
  return message;
}

class Decoder {
  /** The field that the conversion to an object reads of a map entry without a value. */
  missingField: string | undefined;
  readonly #reader: ProtobufJsReader;

  constructor(bytes: Uint8Array) {
    this.#reader = new ProtobufJsReader(bytes);
  }

  message(typeName: string, length: number | undefined, depth: number): ProtobufJsMessage {
    if (depth > MAX_DEPTH) throw new ThrownError('maximum nesting depth exceeded');
    const { message, fields } = planOf(typeName);
    const decoded = new ProtobufJsMessage(message);
    const reader = this.#reader;
    const outer = reader.end;
    if (length !== undefined) this.#enter(length);
    while (reader.pos < reader.end) {
      const tag = reader.uint32();
      const field = fields.get(tag >>> 3);
      if (field === undefined) reader.skip(tag & 7, depth);
      else this.#field(decoded, field, tag & 7, depth);
    }
    if (length !== undefined) this.#leave(outer);
    return decoded;
  }

  /** A known field is read by its type, whatever its wire type. */
  #field(into: ProtobufJsMessage, field: CatalogueField, wireType: number, depth: number): void {
    if (field.mapKey !== undefined) this.#entry(into.mapOf(field), field, depth);
    else if (wireType === 2 && field.repeated && isPackable(field)) {
      const outer = this.#reader.end;
      this.#enter(this.#reader.uint32());
      while (this.#reader.pos < this.#reader.end) into.set(field, this.#value(field, depth));
      this.#leave(outer);
    } else into.set(field, this.#value(field, depth));
  }

  #value({ type }: CatalogueField, depth: number): Element {
    if (type.kind === 'message') return this.message(type.name, this.#reader.uint32(), depth + 1);
    return type.kind === 'enum' ? this.#reader.int32() : this.#scalar(type.scalar);
  }

  #scalar(scalar: Scalar): Leaf {
    return scalar === 'bytes' ? this.#reader.blob() : this.#reader[scalar]();
  }

  #entry(map: Map<string, Element | undefined>, field: CatalogueField, depth: number): void {
    const outer = this.#reader.end;
    this.#enter(this.#reader.uint32());
    let key: Leaf = defaultOf(field.mapKey as Scalar);
    let value: Element | undefined = field.type.kind === 'scalar' ? defaultOf(field.type.scalar) : undefined;
    while (this.#reader.pos < this.#reader.end) {
      const tag = this.#reader.uint32();
      if (tag >>> 3 === 1) key = this.#scalar(field.mapKey as Scalar);
      else if (tag >>> 3 === 2) value = this.#value(field, depth);
      else this.#reader.skip(tag & 7, depth);
    }
    this.#leave(outer);
    if (value === undefined && field.type.kind === 'message') this.missingField ??= firstFieldOf(field.type.name);
    map.set(String(key), value);
  }

  /** Limits reading to the next bytes. */
  #enter(length: number): void {
    const end = this.#reader.pos + length;
    if (end > this.#reader.end) throw new ThrownError('index out of range');
    this.#reader.end = end;
  }

  /** Checks that the bytes were read exactly, and continues after them. */
  #leave(outer: number): void {
    if (this.#reader.pos !== this.#reader.end) throw new ThrownError('index out of range');
    this.#reader.end = outer;
  }
}

interface Plan {
  message: CatalogueMessage;
  fields: ReadonlyMap<number, CatalogueField>;
  /** The fields in the oneof of a field, the highest number first. */
  oneofs: ReadonlyMap<string, readonly string[]>;
}

const plans = new Map<string, Plan>();

function planOf(typeName: string): Plan {
  const made = plans.get(typeName);
  if (made !== undefined) return made;
  const message = xdsCatalogue.message(typeName) ?? removedMessage(typeName);
  if (message === undefined) throw new ThrownError(`no such type: ${typeName}`);
  const known = [...message.byNumber.values()].filter(({ number }) => !isLacking(typeName, number));
  const fields = new Map([...known, ...removedFields(typeName)].map((field) => [field.number, field]));
  const plan = { message, fields, oneofs: oneofsOf([...fields.values()]) };
  plans.set(typeName, plan);
  return plan;
}

function oneofsOf(fields: readonly CatalogueField[]): Map<string, string[]> {
  const descending = fields.filter(({ oneof }) => oneof !== undefined).sort((a, b) => b.number - a.number);
  const together = (field: CatalogueField): string[] =>
    descending.filter(({ oneof }) => oneof === field.oneof).map(({ name }) => name);
  return new Map(descending.map((field) => [field.name, together(field)]));
}

function isPackable({ type }: CatalogueField): boolean {
  return type.kind === 'enum' || (type.kind === 'scalar' && type.scalar !== 'string' && type.scalar !== 'bytes');
}

function defaultOf(scalar: Scalar): Leaf {
  if (scalar === 'string') return '';
  if (scalar === 'bytes') return new Uint8Array(0);
  return scalar === 'bool' ? false : 0;
}

/** The Value that protobufjs has built in spells its fields in camel case. */
function firstFieldOf(typeName: string): string | undefined {
  const fields = [...planOf(typeName).fields.values()].sort((a, b) => a.number - b.number);
  const name = fields[0]?.name;
  return typeName === 'google.protobuf.Value' && name !== undefined ? lowerCamel(name) : name;
}

import {
  type CatalogueField,
  type CatalogueMessage,
  type CatalogueType,
  describeMessage,
} from '../../proto/json/catalogue.js';
import type { Scalar } from '../../proto/wire/scalars.js';
import {
  newMessage,
  type ProtoMap,
  ProtoMessage,
  type ProtoValue,
  type ScalarValue,
  type UnknownField,
} from './proto-message.js';
import { malformed, WireReader } from './wire-reader.js';

/** Decodes a message with the rules of protobuf-java, and throws its exceptions. */
function decodeMessage(typeName: string, bytes: Uint8Array): ProtoMessage {
  const message = newMessage(typeName);
  readMessage(message, new WireReader(bytes));
  return message;
}

/** Decodes the message in an Any. Only the part of the type URL after the last slash counts. */
export function unpackAny(any: ProtoMessage, typeName: string): ProtoMessage {
  return unpack(any.string('type_url'), any.bytes('value'), typeName);
}

export function unpack(typeUrl: string, value: Uint8Array, typeName: string): ProtoMessage {
  if (!isType(typeUrl, typeName)) malformed('Type of the Any message does not match the given class.');
  return decodeMessage(typeName, value);
}

export function isType(typeUrl: string, typeName: string): boolean {
  const slash = typeUrl.lastIndexOf('/');
  return slash >= 0 && typeUrl.slice(slash + 1) === typeName;
}

/** Decodes bytes as a message of which no field is known. */
export function decodeUnknown(bytes: Uint8Array): UnknownField[] {
  const reader = new WireReader(bytes);
  const fields: UnknownField[] = [];
  if (readUnknownFields(fields, reader) !== 0) malformed(WRONG_END_GROUP);
  return fields;
}

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

const WRONG_END_GROUP = 'Protocol message end-group tag did not match expected tag.';

function readMessage(message: ProtoMessage, reader: WireReader): void {
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = message.type.byNumber.get(tag >>> 3);
    if (field !== undefined && readField(message, field, tag & 7, reader)) continue;
    if (!readUnknown(message.unknown, tag, reader)) malformed(WRONG_END_GROUP);
  }
}

/** Returns false if the wire type is not that of the field: then protobuf-java does not know the field. */
function readField(message: ProtoMessage, field: CatalogueField, wireType: number, reader: WireReader): boolean {
  if (field.mapKey !== undefined || field.type.kind === 'message') {
    if (wireType !== DELIMITED) return false;
    if (field.mapKey === undefined) readNested(message, field, reader);
    else readEntry(message, field, reader);
    return true;
  }
  const scalar = field.type.kind === 'enum' ? 'int32' : field.type.scalar;
  if (field.repeated) return readScalars(message, field.number, scalar, wireType, reader);
  if (wireType !== wireTypeOf(scalar)) return false;
  const value = readScalar(scalar, reader);
  clearOneof(message, field);
  if (field.oneof === undefined && isDefault(value)) message.values.delete(field.number);
  else message.values.set(field.number, value);
  return true;
}

/** Reads an element of a list, or a packed list. */
function readScalars(
  { values }: ProtoMessage,
  number: number,
  scalar: Scalar,
  wireType: number,
  reader: WireReader,
): boolean {
  const list = (values.get(number) ?? []) as ScalarValue[];
  if (wireType === wireTypeOf(scalar)) list.push(readScalar(scalar, reader));
  else if (wireType === DELIMITED) {
    const inside = new WireReader(reader.delimited());
    while (inside.pos < inside.end) list.push(readScalar(scalar, inside));
  } else return false;
  if (list.length > 0) values.set(number, list);
  return true;
}

function readNested(message: ProtoMessage, field: CatalogueField, reader: WireReader): void {
  const { values } = message;
  const typeName = (field.type as { name: string }).name;
  if (field.repeated) {
    const nested = newMessage(typeName);
    reader.message(() => readMessage(nested, reader));
    const list = (values.get(field.number) ?? []) as ProtoMessage[];
    list.push(nested);
    values.set(field.number, list);
    return;
  }
  const before = values.get(field.number);
  const nested = before instanceof ProtoMessage ? before : newMessage(typeName);
  reader.message(() => readMessage(nested, reader));
  clearOneof(message, field);
  values.set(field.number, nested);
}

/** An entry of a map is a message with the fields 1 and 2. */
function readEntry({ values }: ProtoMessage, field: CatalogueField, reader: WireReader): void {
  const entry = new ProtoMessage(entryType(field));
  reader.message(() => readMessage(entry, reader));
  const map = (values.get(field.number) ?? new Map()) as ProtoMap;
  values.set(field.number, map);
  const { type } = field;
  const absent = (): ScalarValue | ProtoMessage =>
    type.kind === 'message' ? newMessage(type.name) : defaultOf(type.kind === 'scalar' ? type.scalar : 'int32');
  const key = entry.values.get(1) ?? defaultOf(field.mapKey as Scalar);
  map.set(key as ScalarValue, (entry.values.get(2) ?? absent()) as ScalarValue | ProtoMessage);
}

const entryTypes = new WeakMap<CatalogueField, CatalogueMessage>();

function entryType(field: CatalogueField): CatalogueMessage {
  const known = entryTypes.get(field);
  if (known !== undefined) return known;
  const part = { ...field, mapKey: undefined, repeated: false, oneof: undefined };
  const key = { ...part, number: 1, name: 'key', jsonName: 'key', type: scalarType(field.mapKey as Scalar) };
  const described = describeMessage('entry', [key, { ...part, number: 2, name: 'value', jsonName: 'value' }]);
  entryTypes.set(field, described);
  return described;
}

function scalarType(scalar: Scalar): CatalogueType {
  return { kind: 'scalar', scalar };
}

function clearOneof({ type, values }: ProtoMessage, field: CatalogueField): void {
  if (field.oneof === undefined) return;
  for (const number of [...values.keys()])
    if (number !== field.number && type.byNumber.get(number)?.oneof === field.oneof) values.delete(number);
}

/** Returns false for the end of a group. */
function readUnknown(unknown: UnknownField[], tag: number, reader: WireReader): boolean {
  const number = tag >>> 3;
  switch (tag & 7) {
    case VARINT:
      unknown.push({ number, value: { varint: reader.varint() } });
      return true;
    case FIXED64:
      unknown.push({ number, value: { fixed64: reader.fixed(8).getBigUint64(0, true) } });
      return true;
    case DELIMITED:
      unknown.push({ number, value: { bytes: reader.delimited() } });
      return true;
    case START_GROUP: {
      reader.enter();
      const group: UnknownField[] = [];
      if (readUnknownFields(group, reader) !== (number << 3) + END_GROUP) malformed(WRONG_END_GROUP);
      reader.depth--;
      unknown.push({ number, value: { group } });
      return true;
    }
    case END_GROUP:
      return false;
    case FIXED32:
      unknown.push({ number, value: { fixed32: reader.fixed(4).getUint32(0, true) } });
      return true;
    default:
      return malformed('Protocol message tag had invalid wire type.');
  }
}

/** Returns the tag that ends the fields: 0 at the end of the message. */
function readUnknownFields(unknown: UnknownField[], reader: WireReader): number {
  for (let tag = reader.tag(); ; tag = reader.tag()) if (tag === 0 || !readUnknown(unknown, tag, reader)) return tag;
}

function wireTypeOf(scalar: Scalar): number {
  switch (scalar) {
    case 'double':
    case 'fixed64':
    case 'sfixed64':
      return FIXED64;
    case 'float':
    case 'fixed32':
    case 'sfixed32':
      return FIXED32;
    case 'string':
    case 'bytes':
      return DELIMITED;
    default:
      return VARINT;
  }
}

function readScalar(scalar: Scalar, reader: WireReader): ScalarValue {
  switch (scalar) {
    case 'double':
      return reader.fixed(8).getFloat64(0, true);
    case 'float':
      return reader.fixed(4).getFloat32(0, true);
    case 'int32':
      return reader.varint32() | 0;
    case 'uint32':
      return reader.varint32();
    case 'sint32': {
      const value = reader.varint32();
      return (value >>> 1) ^ -(value & 1);
    }
    case 'int64':
      return BigInt.asIntN(64, reader.varint());
    case 'uint64':
      return reader.varint();
    case 'sint64': {
      const value = reader.varint();
      return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
    case 'fixed32':
      return reader.fixed(4).getUint32(0, true);
    case 'sfixed32':
      return reader.fixed(4).getInt32(0, true);
    case 'fixed64':
      return reader.fixed(8).getBigUint64(0, true);
    case 'sfixed64':
      return reader.fixed(8).getBigInt64(0, true);
    case 'bool':
      return reader.varint() !== 0n;
    case 'string':
      return reader.string();
    case 'bytes':
      return reader.delimited();
  }
}

function defaultOf(scalar: Scalar): ScalarValue {
  if (scalar === 'string') return '';
  if (scalar === 'bytes') return new Uint8Array(0);
  if (scalar === 'bool') return false;
  return /64/.test(scalar) ? 0n : 0;
}

function isDefault(value: ProtoValue): boolean {
  if (value instanceof Uint8Array) return value.length === 0;
  return value === '' || value === false || value === 0n || Object.is(value, 0);
}

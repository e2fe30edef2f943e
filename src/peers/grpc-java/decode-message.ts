import type { CatalogueField } from '../../proto/json/catalogue.js';
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
export function decodeMessage(typeName: string, bytes: Uint8Array): ProtoMessage {
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
  const { values } = message;
  const { number } = field;
  if (field.mapKey !== undefined) {
    if (wireType !== DELIMITED) return false;
    const map = (values.get(number) ?? new Map()) as ProtoMap;
    values.set(number, map);
    readEntry(map, field, reader);
    return true;
  }
  if (field.type.kind === 'message') {
    if (wireType !== DELIMITED) return false;
    readNested(message, field, reader);
    return true;
  }
  const scalar = field.type.kind === 'enum' ? 'int32' : field.type.scalar;
  const isPackable = scalar !== 'string' && scalar !== 'bytes';
  if (field.repeated) {
    const list = (values.get(number) ?? []) as ScalarValue[];
    if (wireType === wireTypeOf(scalar)) list.push(readScalar(scalar, reader));
    else if (wireType === DELIMITED && isPackable) {
      const packed = reader.delimited();
      const inside = new WireReader(packed);
      while (inside.pos < inside.end) list.push(readScalar(scalar, inside));
    } else return false;
    if (list.length > 0) values.set(number, list);
    return true;
  }
  if (wireType !== wireTypeOf(scalar)) return false;
  const value = readScalar(scalar, reader);
  clearOneof(message, field);
  if (field.oneof === undefined && isDefault(value)) values.delete(number);
  else values.set(number, value);
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

function readEntry(map: ProtoMap, field: CatalogueField, reader: WireReader): void {
  const { type } = field;
  let key: ScalarValue = defaultOf(field.mapKey as Scalar);
  let value: ScalarValue | ProtoMessage | undefined;
  reader.message(() => {
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      const scalar = type.kind === 'scalar' ? type.scalar : 'int32';
      if (tag >>> 3 === 1 && (tag & 7) === wireTypeOf(field.mapKey as Scalar))
        key = readScalar(field.mapKey as Scalar, reader);
      else if (tag >>> 3 === 2 && type.kind === 'message' && (tag & 7) === DELIMITED) {
        const nested = value instanceof ProtoMessage ? value : newMessage(type.name);
        reader.message(() => readMessage(nested, reader));
        value = nested;
      } else if (tag >>> 3 === 2 && type.kind !== 'message' && (tag & 7) === wireTypeOf(scalar))
        value = readScalar(scalar, reader);
      else if (!readUnknown([], tag, reader)) malformed(WRONG_END_GROUP);
    }
  });
  const absent = (): ScalarValue | ProtoMessage =>
    type.kind === 'message' ? newMessage(type.name) : defaultOf(type.kind === 'scalar' ? type.scalar : 'int32');
  map.set(key, value ?? absent());
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

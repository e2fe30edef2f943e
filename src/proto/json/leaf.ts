import { toBase64 } from '../../base/base64.js';
import { type Reader, WireType } from '../wire/reader.js';
import { SCALAR_WIRE_TYPES } from '../wire/scalars.js';
import type { Catalogue, CatalogueField, CatalogueType } from './catalogue.js';
import { type Json, shortestFloat } from './well-known.js';

/** Returns the wire type of one value of this type. */
export function wireTypeOf(type: CatalogueType): number {
  if (type.kind === 'scalar') return SCALAR_WIRE_TYPES[type.scalar];
  return type.kind === 'enum' ? WireType.varint : WireType.bytes;
}

/** Whether a field accepts a wire type. upb treats a value of another wire type as an unknown field. */
export function accepts(field: CatalogueField, wireType: number): boolean {
  const own = field.mapKey === undefined ? wireTypeOf(field.type) : WireType.bytes;
  return wireType === own || (field.repeated && wireType === WireType.bytes);
}

/** Reads a scalar or an enum as JSON. Enums are printed by name if the number has one. */
export function printLeaf(catalogue: Catalogue, reader: Reader, type: CatalogueType): Json {
  if (type.kind !== 'scalar') {
    const number = reader.int32();
    return catalogue.enumType(type.name)?.byNumber.get(number) ?? number;
  }
  switch (type.scalar) {
    case 'bytes':
      return toBase64(reader.blob());
    case 'double':
      return printNumber(reader.double());
    case 'float':
      return printNumber(shortestFloat(reader.float()));
    case 'int64':
    case 'uint64':
    case 'sint64':
    case 'fixed64':
    case 'sfixed64':
      return String(reader[type.scalar]());
    default:
      return reader[type.scalar]();
  }
}

/** Returns the default value of a field without presence. */
export function defaultLeaf(catalogue: Catalogue, type: CatalogueType): Json {
  if (type.kind === 'enum') return catalogue.enumType(type.name)?.byNumber.get(0) ?? 0;
  if (type.kind === 'message') return {};
  if (type.scalar === 'string' || type.scalar === 'bytes') return '';
  if (type.scalar === 'bool') return false;
  return type.scalar.endsWith('64') ? '0' : 0;
}

function printNumber(value: number): Json {
  return Number.isFinite(value) ? value : String(value);
}

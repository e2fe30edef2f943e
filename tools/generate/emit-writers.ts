import { SCALAR_WIRE_TYPES, type Scalar } from '../../src/proto/wire/scalars.ts';
import { members, property, scalarDefault, WRAPPERS } from './naming.ts';
import type { Field, FieldType, Message } from './schema.ts';

/** A function that writes a message backwards: the highest field number first (see src/proto/wire/writer.ts). */
export function emitWriter(message: Message, writerOf: (type: string) => string): string {
  const statements = members(message)
    .map((m) =>
      'field' in m
        ? { number: m.field.number, code: writeField(m.field, writerOf) }
        : { number: lowest(m.fields), code: writeOneof(m.oneof, m.fields, writerOf) },
    )
    .sort((a, b) => b.number - a.number)
    .map((s) => `  ${s.code}`);
  const used = statements.length > 0;
  return [
    `export function write${message.localName}(${used ? 'w' : '_writer'}: Writer, ${used ? 'm' : '_message'}: ${message.localName}): void {`,
    ...statements,
    '}',
  ].join('\n');
}

function lowest(fields: Field[]): number {
  return Math.min(...fields.map((f) => f.number));
}

function writeField(field: Field, writerOf: (type: string) => string): string {
  const p = `m.${property(field.name)}`;
  if (field.mapKey !== undefined) return writeMap(field, field.mapKey, p, writerOf);
  if (field.repeated && field.type.kind === 'message')
    return `for (const one of [...${p}].reverse()) { ${writeValue(field.number, field.type, 'one', writerOf)} }`;
  if (field.repeated)
    return `for (let i = ${p}.length - 1; i >= 0; i--) { ${writeValue(field.number, field.type, `${p}[i]!`, writerOf)} }`;
  if (field.type.kind === 'message' || field.optional)
    return `if (${p} !== undefined) { ${writeValue(field.number, field.type, p, writerOf)} }`;
  return `if (${isSet(field.type, p)}) { ${writeValue(field.number, field.type, p, writerOf)} }`;
}

function isSet(type: FieldType, p: string): string {
  if (type.kind === 'scalar' && type.scalar === 'bytes') return `${p}.length > 0`;
  return `${p} !== ${type.kind === 'scalar' ? scalarDefault(type.scalar) : '0'}`;
}

function writeOneof(oneof: string, fields: Field[], writerOf: (type: string) => string): string {
  const o = `m.${property(oneof)}`;
  const cases = fields.map(
    (f) => `case '${property(f.name)}': ${writeValue(f.number, f.type, `${o}.value`, writerOf)} break;`,
  );
  return `switch (${o}?.kind) { ${cases.join(' ')} }`;
}

function writeMap(field: Field, keyType: Scalar, p: string, writerOf: (type: string) => string): string {
  const value = writeValue(2, field.type, 'value', writerOf);
  const key = writeValue(1, { kind: 'scalar', scalar: keyType }, 'key', writerOf);
  return `for (const [key, value] of [...${p}].reverse()) { const before = w.length; ${value} ${key} w.delimitedHeader(${field.number}, w.length - before); }`;
}

function writeValue(number: number, type: FieldType, value: string, writerOf: (type: string) => string): string {
  if (type.kind === 'enum') return `w.int32(${value}); w.tag(${number}, 0);`;
  if (type.kind === 'message') {
    const wrapped = WRAPPERS[type.name];
    if (wrapped === undefined) return `w.messageField(${number}, ${writerOf(type.name)}, ${value});`;
    return `{ const before = w.length; ${writeValue(1, { kind: 'scalar', scalar: wrapped }, value, writerOf)} w.delimitedHeader(${number}, w.length - before); }`;
  }
  if (type.scalar === 'string') return `w.stringField(${number}, ${value});`;
  if (type.scalar === 'bytes') return `w.blobField(${number}, ${value});`;
  return `${writeScalar(type.scalar, value)} w.tag(${number}, ${SCALAR_WIRE_TYPES[type.scalar]});`;
}

function writeScalar(scalar: Scalar, value: string): string {
  switch (scalar) {
    case 'bool':
      return `w.varint32(${value} ? 1 : 0);`;
    case 'int32':
      return `w.int32(${value});`;
    case 'uint32':
      return `w.varint32(${value});`;
    case 'int64':
    case 'uint64':
      return `w.varint64(${value});`;
    case 'float':
      return `w.float(${value});`;
    case 'double':
      return `w.double(${value});`;
    case 'fixed32':
      return `w.fixed32(${value});`;
    case 'fixed64':
      return `w.fixed64(${value});`;
    default:
      throw new Error(`fields of type ${scalar} cannot be written`);
  }
}

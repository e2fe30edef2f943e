import { lowerCamel } from '../../src/proto/lower-camel.ts';
import type { Scalar } from '../../src/proto/wire/scalars.ts';
import type { Field, Message, Schema } from './schema.ts';

const BIG = new Set<Scalar>(['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64']);

export const WRAPPERS: Record<string, Scalar> = {
  'google.protobuf.DoubleValue': 'double',
  'google.protobuf.FloatValue': 'float',
  'google.protobuf.Int64Value': 'int64',
  'google.protobuf.UInt64Value': 'uint64',
  'google.protobuf.Int32Value': 'int32',
  'google.protobuf.UInt32Value': 'uint32',
  'google.protobuf.BoolValue': 'bool',
  'google.protobuf.StringValue': 'string',
  'google.protobuf.BytesValue': 'bytes',
};

export function scalarType(scalar: Scalar): string {
  if (BIG.has(scalar)) return 'bigint';
  if (scalar === 'string') return 'string';
  if (scalar === 'bytes') return 'Uint8Array';
  return scalar === 'bool' ? 'boolean' : 'number';
}

export function scalarDefault(scalar: Scalar): string {
  const type = scalarType(scalar);
  return { bigint: '0n', string: "''", Uint8Array: 'NO_BYTES', boolean: 'false', number: '0' }[type] as string;
}

/** The name of the reader's method for a scalar. */
export function readerMethod(scalar: Scalar): string {
  return scalar === 'bytes' ? 'blob' : scalar;
}

export function property(name: string): string {
  return lowerCamel(name);
}

/** The file of a package: `envoy.config.core.v3` is in generated/envoy.config.core.v3.ts. */
export function packageFile(packageName: string): string {
  return `${packageName}.ts`;
}

/** The properties of the generated type of a message: single fields, and one property for each real oneof. */
export function members(message: Message): ({ field: Field } | { oneof: string; fields: Field[] })[] {
  const seen = new Set<string>();
  const out: ({ field: Field } | { oneof: string; fields: Field[] })[] = [];
  for (const field of message.fields) {
    if (field.oneof === undefined || field.optional) out.push({ field });
    else if (!seen.has(field.oneof)) {
      seen.add(field.oneof);
      out.push({ oneof: field.oneof, fields: message.fields.filter((f) => f.oneof === field.oneof) });
    }
  }
  return out;
}

export function messageNamed(schema: Schema, name: string): Message {
  const message = schema.messages.get(name);
  if (message === undefined) throw new Error(`no message ${name}`);
  return message;
}

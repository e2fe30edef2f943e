import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DESCRIPTOR_SCALARS } from '../../src/proto/wire/scalars.ts';
import {
  decodeDescriptorSet,
  type EnumDescriptor,
  type FieldDescriptor,
  type FileDescriptor,
  type MessageDescriptor,
} from './descriptor-set.ts';
import type { Enum, Field, FieldType, Message, Schema } from './schema.ts';

const MESSAGE = 11;
const REPEATED = 3;

/** The published API in proto/api, which `npm run update-api` writes. */
export function readPublishedApi(root: string): Schema {
  const bytes = gunzipSync(readFileSync(join(root, 'proto/api/xds.binpb.gz')));
  const schema: Schema = { messages: new Map(), enums: new Map(), unresolved: [] };
  for (const file of decodeDescriptorSet(root, bytes).file) {
    addEnums(file.enum_type, [], file, schema);
    addMessages(file.message_type, [], file, schema);
  }
  return schema;
}

function place(
  names: readonly string[],
  { package: packageName }: FileDescriptor,
): Pick<Message, 'fullName' | 'packageName' | 'localName'> {
  return { fullName: [packageName, ...names].join('.'), packageName, localName: names.join('') };
}

function addEnums(enums: readonly EnumDescriptor[], outer: readonly string[], file: FileDescriptor, to: Schema): void {
  for (const { name, value } of enums) {
    const values = new Map(value.map((one) => [one.name, one.number]));
    const type: Enum = { ...place([...outer, name], file), values };
    to.enums.set(type.fullName, type);
  }
}

function addMessages(
  messages: readonly MessageDescriptor[],
  outer: readonly string[],
  file: FileDescriptor,
  to: Schema,
): void {
  for (const descriptor of messages) {
    if (descriptor.options?.map_entry) continue;
    const names = [...outer, descriptor.name];
    const fields = descriptor.field.map((field) => fieldOf(field, descriptor)).sort((a, b) => a.number - b.number);
    const message: Message = { ...place(names, file), fields };
    to.messages.set(message.fullName, message);
    addEnums(descriptor.enum_type, names, file, to);
    addMessages(descriptor.nested_type, names, file, to);
  }
}

function fieldOf(field: FieldDescriptor, message: MessageDescriptor): Field {
  const entry = entryOf(field, message);
  const [key, value] = entry?.field ?? [];
  return {
    number: field.number,
    name: field.name,
    type: typeOf(value ?? field),
    repeated: entry === undefined && field.label === REPEATED,
    mapKey: key && DESCRIPTOR_SCALARS[key.type],
    oneof: Object.hasOwn(field, 'oneof_index') ? message.oneof_decl[field.oneof_index]?.name : undefined,
    lazy: false,
    optional: field.proto3_optional,
    sensitive: field.options?.sensitive === true,
    deprecated: field.options?.deprecated === true,
  };
}

/** The entry of a map field: a nested message with a key and a value. */
function entryOf(field: FieldDescriptor, message: MessageDescriptor): MessageDescriptor | undefined {
  if (field.label !== REPEATED || field.type !== MESSAGE) return undefined;
  return message.nested_type.find(
    ({ name, options }) => options?.map_entry && field.type_name.endsWith(`.${message.name}.${name}`),
  );
}

function typeOf({ type, type_name: name }: FieldDescriptor): FieldType {
  const scalar = DESCRIPTOR_SCALARS[type];
  if (scalar !== undefined) return { kind: 'scalar', scalar };
  return { kind: type === MESSAGE ? 'message' : 'enum', name: name.slice(1) };
}

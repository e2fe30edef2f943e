import protobuf from 'protobufjs';
import { SCALAR_WIRE_TYPES, type Scalar } from '../../src/proto/wire/scalars.ts';

/** The type of a field; the `name` of a message or enum is its full name without a leading dot. */
export type FieldType =
  | { kind: 'scalar'; scalar: Scalar }
  | { kind: 'message'; name: string }
  | { kind: 'enum'; name: string };

export interface Field {
  number: number;
  name: string;
  type: FieldType;
  repeated: boolean;
  /** Set for a map field; `type` is then the type of the values. */
  mapKey: Scalar | undefined;
  /** The oneof that the field belongs to; `optional` scalars have one of their own. */
  oneof: string | undefined;
  /** Declared `[lazy = true]`: checked at once, decoded on first use. */
  lazy: boolean;
  /** Declared `optional`: its oneof only tracks presence. */
  optional: boolean;
  /** Declared `(udpa.annotations.sensitive)`: its value is a secret. */
  sensitive: boolean;
  deprecated: boolean;
}

export interface Message {
  fullName: string;
  packageName: string;
  /** The name inside the package, nested names joined: `ClusterEdsClusterConfig`. */
  localName: string;
  fields: Field[];
}

export interface Enum {
  fullName: string;
  packageName: string;
  localName: string;
  values: Map<string, number>;
}

export interface Schema {
  messages: Map<string, Message>;
  enums: Map<string, Enum>;
  /** Fields whose type no file declares; their messages omit them. */
  unresolved: string[];
}

const SCALARS = new Set<string>(Object.keys(SCALAR_WIRE_TYPES));

const WELL_KNOWN_FILES = ['any', 'duration', 'empty', 'field_mask', 'struct', 'timestamp', 'wrappers'];

/** Parses .proto texts into one schema. Imports are not followed: the caller passes every file. */
export function readSchema(files: { path: string; text: string }[]): Schema {
  const root = new protobuf.Root();
  for (const name of WELL_KNOWN_FILES) {
    const file = protobuf.common.get(`google/protobuf/${name}.proto`);
    if (file?.nested) root.addJSON(file.nested);
  }
  for (const file of files) {
    try {
      protobuf.parse(file.text, root, { keepCase: true });
    } catch (error) {
      throw new Error(`${file.path}: ${(error as Error).message}`);
    }
  }
  const schema: Schema = { messages: new Map(), enums: new Map(), unresolved: [] };
  collect(root, schema);
  return schema;
}

function collect(namespace: protobuf.NamespaceBase, schema: Schema): void {
  for (const item of namespace.nestedArray) {
    if (item instanceof protobuf.Type) addMessage(item, schema);
    if (item instanceof protobuf.Enum) addEnum(item, schema);
    if (item instanceof protobuf.Namespace) collect(item, schema);
  }
}

function place(item: protobuf.ReflectionObject): { fullName: string; packageName: string; localName: string } {
  const names = [item.name];
  let parent = item.parent;
  while (parent instanceof protobuf.Type) {
    names.unshift(parent.name);
    parent = parent.parent;
  }
  return { fullName: item.fullName.slice(1), packageName: parent?.fullName.slice(1) ?? '', localName: names.join('') };
}

function addMessage(type: protobuf.Type, schema: Schema): void {
  const message: Message = { ...place(type), fields: [] };
  for (const field of type.fieldsArray) {
    const resolved = fieldType(field);
    if (resolved === undefined) {
      schema.unresolved.push(field.fullName.slice(1));
      continue;
    }
    message.fields.push({
      number: field.id,
      // protobufjs has camel case names in its own copies of the well-known types.
      name:
        message.packageName === 'google.protobuf'
          ? field.name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
          : field.name,
      type: resolved,
      repeated: field.repeated,
      mapKey: field instanceof protobuf.MapField ? (field.keyType as Scalar) : undefined,
      oneof: field.partOf?.name,
      lazy: field.options?.lazy === true,
      optional: field.options?.proto3_optional === true,
      sensitive: field.options?.['(udpa.annotations.sensitive)'] === true,
      deprecated: field.options?.deprecated === true,
    });
  }
  message.fields.sort((a, b) => a.number - b.number);
  schema.messages.set(message.fullName, message);
}

function fieldType(field: protobuf.Field): FieldType | undefined {
  if (SCALARS.has(field.type)) return { kind: 'scalar', scalar: field.type as Scalar };
  const found = field.parent?.lookup(field.type);
  if (found instanceof protobuf.Type) return { kind: 'message', name: found.fullName.slice(1) };
  if (found instanceof protobuf.Enum) return { kind: 'enum', name: found.fullName.slice(1) };
  return undefined;
}

function addEnum(type: protobuf.Enum, schema: Schema): void {
  schema.enums.set(type.fullName.slice(1), { ...place(type), values: new Map(Object.entries(type.values)) });
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';

/** The parts of a descriptor set that proto/google.protobuf.proto declares. */
export interface DescriptorSet {
  file: FileDescriptor[];
}

export interface FileDescriptor extends Types {
  name: string;
  package: string;
  syntax: string;
  message_type: MessageDescriptor[];
}

interface Types {
  enum_type: EnumDescriptor[];
}

export interface MessageDescriptor extends Types {
  name: string;
  field: FieldDescriptor[];
  nested_type: MessageDescriptor[];
  options: { map_entry: boolean } | null;
  oneof_decl: { name: string }[];
}

export interface FieldDescriptor {
  name: string;
  number: number;
  label: number;
  type: number;
  type_name: string;
  options: { sensitive: boolean; deprecated: boolean } | null;
  /** An own property only if it is set. */
  oneof_index: number;
  proto3_optional: boolean;
}

export interface EnumDescriptor {
  name: string;
  value: { name: string; number: number }[];
}

/** The type of a descriptor set. It drops everything else: services, comments, most options. */
function descriptorSetType(root: string): protobuf.Type {
  const text = readFileSync(join(root, 'proto/google.protobuf.proto'), 'utf8');
  return protobuf
    .parse(text, new protobuf.Root(), { keepCase: true })
    .root.lookupType('google.protobuf.FileDescriptorSet');
}

/** Decodes a set. Fields that are not set have their default values. */
export function decodeDescriptorSet(root: string, bytes: Uint8Array): DescriptorSet {
  return descriptorSetType(root).decode(bytes) as unknown as DescriptorSet;
}

/** Encodes a decoded set, of which files may have been removed. */
export function encodeDescriptorSet(root: string, set: DescriptorSet): Uint8Array {
  return descriptorSetType(root).encode(set).finish();
}

/** Calls back for each message of a file, nested ones included, with its full name. */
export function eachMessage(file: FileDescriptor, visit: (message: MessageDescriptor, fullName: string) => void): void {
  const each = (messages: readonly MessageDescriptor[], scope: string): void => {
    for (const message of messages) {
      visit(message, `${scope}.${message.name}`);
      each(message.nested_type, `${scope}.${message.name}`);
    }
  };
  each(file.message_type, file.package);
}

import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FileDescriptorSet,
} from '../generated/google.protobuf.js';
import { decode } from '../message-type.js';
import { DESCRIPTOR_SCALARS } from '../wire/scalars.js';
import { type DraftField, type Drafts, MAP_KEYS } from './draft.js';

const MESSAGE = 11;
const ENUM = 14;
const REPEATED = 3;

/** Reads the output of `protoc --descriptor_set_out` and returns its types, or the problem. */
export function readDescriptorSet(bytes: Uint8Array): Drafts | { problem: string } {
  const decoded = decode(FileDescriptorSet, bytes);
  if (!decoded.ok) return { problem: `not a FileDescriptorSet: ${decoded.reason} at byte ${decoded.offset}` };
  const drafts: Drafts = { messages: [], enums: [] };
  for (const file of decoded.value.file) {
    const scope = file.package === '' ? '' : `${file.package}.`;
    const hasPresence = file.syntax !== 'proto3';
    for (const message of file.messageType) addMessage(message, scope, hasPresence, drafts);
    for (const type of file.enumType) addEnum(type, scope, drafts);
  }
  if (drafts.messages.length === 0) return { problem: 'contains no message types' };
  return drafts;
}

function addMessage(message: DescriptorProto, scope: string, hasPresence: boolean, drafts: Drafts): void {
  const fullName = `${scope}${message.name}`;
  const entries = new Map(
    [...message.nestedType]
      .filter(({ options }) => options?.mapEntry === true)
      // Names may be absolute, as protoc writes them, or relative to this message.
      .flatMap((entry) => [`.${fullName}.${entry.name}`, entry.name].map((name) => [name, entry] as const)),
  );
  const fields = [...message.field].flatMap((field) => draftField(field, entries, hasPresence) ?? []);
  drafts.messages.push({ fullName, fields });
  for (const nested of message.nestedType) addMessage(nested, `${fullName}.`, hasPresence, drafts);
  for (const type of message.enumType) addEnum(type, `${fullName}.`, drafts);
}

function addEnum({ name, value }: EnumDescriptorProto, scope: string, drafts: Drafts): void {
  drafts.enums.push({ fullName: `${scope}${name}`, values: [...value] });
}

/** Returns `undefined` for a group, which is printed by number. */
function draftField(
  field: FieldDescriptorProto,
  entries: ReadonlyMap<string, DescriptorProto>,
  hasPresence: boolean,
): DraftField | undefined {
  const { number, name, jsonName, label, options, oneofIndex } = field;
  const type = draftType(field);
  if (type === undefined) return undefined;
  const repeated = label === REPEATED;
  const ownPresence = hasPresence && !repeated && field.type !== MESSAGE ? -number : undefined;
  const draft: DraftField = {
    number,
    name,
    jsonName: jsonName === '' ? undefined : jsonName,
    type,
    repeated,
    mapKey: undefined,
    oneof: oneofIndex ?? ownPresence,
    sensitive: options?.sensitive === true || options?.debugRedact === true,
  };
  const entry = repeated ? entries.get(field.typeName) : undefined;
  return { ...draft, ...(entry && mapParts(entry)) };
}

function draftType({ type, typeName }: FieldDescriptorProto): DraftField['type'] | undefined {
  const scalar = DESCRIPTOR_SCALARS[type];
  if (scalar !== undefined) return { scalar };
  return type === MESSAGE || type === ENUM ? { name: typeName } : undefined;
}

/** Returns the key and value types of a map entry; nothing if the entry is invalid. */
function mapParts({ field }: DescriptorProto): Partial<DraftField> {
  const key = DESCRIPTOR_SCALARS[field.find(({ number }) => number === 1)?.type ?? 0];
  const value = field.find(({ number }) => number === 2);
  const type = value && draftType(value);
  if (key === undefined || type === undefined || !MAP_KEYS.has(key)) return {};
  return { mapKey: key, type, repeated: false };
}

import protobuf from 'protobufjs';
import { SCALAR_WIRE_TYPES, type Scalar } from '../wire/scalars.js';
import { type DraftField, type Drafts, MAP_KEYS } from './draft.js';

/**
 * Parses a .proto file and returns its types, or the problem. Does not follow imports: the caller passes every file.
 */
export function readProtoSource(text: string): Drafts | { problem: string } {
  // Each file has its own root, because two folders may contain the same file.
  const root = new protobuf.Root();
  try {
    protobuf.parse(text, root, { keepCase: true });
    const drafts: Drafts = { messages: [], enums: [] };
    collect(root, !/^\s*syntax\s*=\s*["']proto3["']/m.test(text), drafts);
    return drafts;
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'nested too deeply' };
    // The parser throws a TypeError if the file ends unexpectedly.
    if (error instanceof TypeError) return { problem: 'unexpected end of file' };
    return { problem: (error as Error).message };
  }
}

function collect(namespace: protobuf.NamespaceBase, hasPresence: boolean, drafts: Drafts): void {
  for (const item of namespace.nestedArray) {
    if (item instanceof protobuf.Type) {
      const oneofs = item.oneofsArray;
      const fields = item.fieldsArray.flatMap((field) => draftField(field, oneofs, hasPresence) ?? []);
      drafts.messages.push({ fullName: item.fullName.slice(1), fields });
    }
    if (item instanceof protobuf.Enum) {
      const values = Object.entries(item.values).map(([name, number]) => ({ name, number }));
      drafts.enums.push({ fullName: item.fullName.slice(1), values });
    }
    if (item instanceof protobuf.Namespace) collect(item, hasPresence, drafts);
  }
}

function draftField(
  field: protobuf.Field,
  oneofs: readonly protobuf.OneOf[],
  hasPresence: boolean,
): DraftField | undefined {
  const keyType = field instanceof protobuf.MapField ? field.keyType : undefined;
  if (keyType !== undefined && !MAP_KEYS.has(keyType)) return undefined;
  const { options } = field;
  const isScalar = Object.hasOwn(SCALAR_WIRE_TYPES, field.type);
  const ownPresence = hasPresence && !field.repeated && keyType === undefined ? -field.id : undefined;
  return {
    number: field.id,
    name: field.name,
    jsonName: typeof options?.json_name === 'string' ? options.json_name : undefined,
    type: isScalar ? { scalar: field.type as Scalar } : { name: field.type },
    repeated: field.repeated,
    mapKey: keyType as Scalar | undefined,
    oneof: field.partOf === null ? ownPresence : oneofs.indexOf(field.partOf),
    sensitive: options?.['(udpa.annotations.sensitive)'] === true || options?.debug_redact === true,
  };
}

import { MAX_NACK_LENGTH } from '../../base/limits.js';
import { compareUtf8 } from '../../base/utf8-order.js';
import { type CatalogueField, type CatalogueType, xdsCatalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { shortestFloat } from '../../proto/json/well-known.js';
import { Reader, WireType } from '../../proto/wire/reader.js';
import { type Leaf, MessageView, type UnknownField } from '../message-view.js';
import { declaredPosition } from './declaration-order.js';
import { floatText, goName } from './go-text.js';
import { isLinked } from './linked-types.js';
import { wireError } from './wire.js';

/** What Go prints for a message that is not set. */
const NIL = '<nil>';

/** Whether fields that Go does not know are printed. */
type Unknown = 'with unknown' | 'without unknown';

/** Prints a message as Go's `%v` does, on one line. Go separates fields by one or two spaces; here it is always one. */
export function printMessage(message: MessageView | undefined, unknown: Unknown = 'with unknown'): string {
  return message === undefined ? NIL : joined(fieldTexts(message, unknown));
}

/** Prints a list of messages as Go's `%v` does. */
export function printMessages(messages: Iterable<MessageView>, unknown: Unknown = 'with unknown'): string {
  return `[${joined(printed(messages, unknown))}]`;
}

function* printed(messages: Iterable<MessageView>, unknown: Unknown): Generator<string> {
  for (const message of messages) yield printMessage(message, unknown);
}

/** Joins texts up to the longest NACK message. */
function joined(texts: Iterable<string>): string {
  let all: string | undefined;
  for (const text of texts) {
    all = all === undefined ? text : `${all} ${text}`;
    if (all.length > MAX_NACK_LENGTH) return all.slice(0, MAX_NACK_LENGTH);
  }
  return all ?? '';
}

/** Prints the member of a oneof that is set, which Go stores in a structure, as `%+v` does. */
export function printMember(message: MessageView, name: string): string {
  const field = message.type.byName.get(name) as CatalogueField;
  const [set] = message.setFields().filter((one) => one.field === field);
  const value = field.type.kind === 'message' ? printMessage(message.message(name)) : plainLeaf(set?.leaves[0], field);
  return `&{${goName(name)}:${value}}`;
}

/** Outside of messages, Go prints texts without quotes. */
function plainLeaf(leaf: Leaf | undefined, { type }: CatalogueField): string {
  return typeof leaf === 'string' ? leaf : leafText(leaf as Leaf, type);
}

/** Prints the value of an enum by name, or by number if Go does not know it. */
export function enumText(name: string, value: number): string {
  return xdsCatalogue.enumType(name)?.byNumber.get(value) ?? String(value);
}

function* fieldTexts(message: MessageView, unknown: Unknown): Generator<string> {
  if (message.type.name === 'google.protobuf.Any') {
    const expanded = expandedAny(message);
    if (expanded !== undefined) {
      yield expanded;
      return;
    }
  }
  const position = ({ field }: { field: CatalogueField }): number => declaredPosition(message.type.name, field.number);
  for (const { field, leaves } of message.setFields().sort((a, b) => position(a) - position(b))) {
    if (field.mapKey !== undefined) yield* entryTexts(message, field, unknown);
    else if (field.type.kind === 'message')
      for (const element of message.elements(field)) yield `${field.name}:${braced(element, unknown)}`;
    else for (const leaf of leaves) yield `${field.name}:${leafText(leaf, field.type)}`;
  }
  if (unknown === 'with unknown') for (const field of message.unknownFields) yield unknownText(field);
}

function braced(message: MessageView, unknown: Unknown = 'with unknown'): string {
  return `{${printMessage(message, unknown)}}`;
}

/** Anys that are nested more deeply are printed as bytes. */
const MAX_DEPTH = 200;

/** Go prints the message in an Any if the program contains its type and can decode it. */
function expandedAny(any: MessageView): string | undefined {
  if (any.depth > MAX_DEPTH) return undefined;
  const url = any.text('type_url');
  const typeName = typeNameOf(url);
  if (!isLinked(typeName) || xdsCatalogue.message(typeName) === undefined) return undefined;
  if (wireError(typeName, any.blob('value')) !== undefined) return undefined;
  return `[${url}]:${braced(any.holding(typeName, any.blob('value')))}`;
}

function* entryTexts(message: MessageView, field: CatalogueField, unknown: Unknown): Generator<string> {
  const keyType: CatalogueType = { kind: 'scalar', scalar: field.mapKey as NonNullable<CatalogueField['mapKey']> };
  for (const [key, value] of [...message.entries(field.name)].sort(([a], [b]) => compareKeys(a, b))) {
    const shown = value instanceof MessageView ? braced(value, unknown) : leafText(value, field.type);
    yield `${field.name}:{key:${leafText(key, keyType)} value:${shown}}`;
  }
}

function compareKeys(a: Leaf, b: Leaf): number {
  return typeof a === 'string' && typeof b === 'string' ? compareUtf8(a, b) : Number(a) - Number(b);
}

function leafText(leaf: Leaf, type: CatalogueType): string {
  if (type.kind === 'enum') return enumText(type.name, leaf as number);
  if (leaf instanceof Uint8Array) return bytesText(leaf);
  if (typeof leaf === 'string') return stringText(leaf);
  if (typeof leaf !== 'number' || type.kind !== 'scalar') return String(leaf);
  if (type.scalar === 'float') return floatText(shortestFloat(leaf));
  return type.scalar === 'double' ? floatText(leaf) : String(leaf);
}

const ESCAPES: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function stringText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the text format escapes them.
  const shown = text.slice(0, MAX_NACK_LENGTH).replace(/["\\\x00-\x1f\x7f-\x9f]/g, (character) => {
    const code = character.charCodeAt(0);
    return ESCAPES[character] ?? (code < 0x80 ? hexEscape(code) : `\\u${code.toString(16).padStart(4, '0')}`);
  });
  return `"${shown}"`;
}

function hexEscape(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

/** Prints bytes like a text, in which invalid UTF-8 is escaped byte by byte. */
function bytesText(bytes: Uint8Array): string {
  let shown = '';
  let from = 0;
  while (from < bytes.length && shown.length < MAX_NACK_LENGTH) {
    const length = characterLength(bytes, from);
    const part = bytes.subarray(from, from + Math.max(1, length));
    shown += length === 0 ? hexEscape(part[0] as number) : stringText(decoder.decode(part)).slice(1, -1);
    from += part.length;
  }
  return `"${shown}"`;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The length of the UTF-8 character at a position; 0 if there is none. */
function characterLength(bytes: Uint8Array, from: number): number {
  const first = bytes[from] as number;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  try {
    return decoder.decode(bytes.subarray(from, from + length)).length > 0 ? length : 0;
  } catch {
    return 0;
  }
}

function unknownText({ tag, value }: UnknownField): string {
  const reader = new Reader(value);
  const name = `${tag >>> 3}:`;
  switch (tag & 7) {
    case WireType.varint:
      return `${name}${reader.uint64()}`;
    case WireType.fixed32:
      return `${name}0x${reader.fixed32().toString(16)}`;
    case WireType.fixed64:
      return `${name}0x${reader.fixed64().toString(16)}`;
    case WireType.bytes:
      return `${name}${bytesText(reader.blob())}`;
    default:
      return `${name}{${[...groupTexts(reader)].join(' ')}}`;
  }
}

function* groupTexts(reader: Reader): Generator<string> {
  while (reader.pos < reader.end) {
    const tag = reader.uint32();
    if ((tag & 7) === WireType.endGroup) return;
    const from = reader.pos;
    reader.skip(tag);
    yield unknownText({ tag, value: reader.bytes.subarray(from, reader.pos) });
  }
}

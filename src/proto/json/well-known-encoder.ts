import { describeValue, isMapping } from '../../base/shape.js';
import { WireType } from '../wire/reader.js';
import type { Writer } from '../wire/writer.js';
import type { CatalogueField, CatalogueMessage } from './catalogue.js';
import type { MessageEncoder } from './message-encoder.js';
import { parseDuration, parseTimestamp, WRAPPERS } from './well-known.js';

/**
 * Encodes a well-known type from its custom JSON form. Returns `false` if the ordinary form applies: the custom form has
 * no place for unknown fields. Those in the JSON of an Any belong to its contents.
 */
export function encodeWellKnown(
  encoder: MessageEncoder,
  writer: Writer,
  type: CatalogueMessage,
  json: unknown,
  depth: number,
): boolean {
  if (isMapping(json) && '@unknown' in json && type.name !== 'google.protobuf.Any') return false;
  const first = type.byNumber.get(1) as CatalogueField;
  if (WRAPPERS.has(type.name)) {
    encoder.value(writer, 1, first.type, json, depth, true);
    return true;
  }
  switch (type.name) {
    case 'google.protobuf.Duration':
      return encodeTime(encoder, writer, json, parseDuration, 'a duration such as "1.5s"');
    case 'google.protobuf.Timestamp':
      return encodeTime(encoder, writer, json, parseTimestamp, 'a time such as "2026-01-31T12:00:00Z"');
    case 'google.protobuf.Any':
      encodeAny(encoder, writer, json, depth);
      return true;
    case 'google.protobuf.Struct':
    case 'google.protobuf.ListValue':
      encoder.field(writer, first, json, depth);
      return true;
    case 'google.protobuf.Value':
      encodeValue(encoder, writer, type, json, depth);
      return true;
    case 'google.protobuf.FieldMask':
      encodeFieldMask(encoder, writer, json);
      return true;
    default:
      return false;
  }
}

/**
 * Encodes a duration or a timestamp. Returns `false` for {seconds, nanos}, which is the only way to write a value that
 * is out of range.
 */
function encodeTime(
  { problems }: MessageEncoder,
  writer: Writer,
  json: unknown,
  parse: (text: string) => { seconds: bigint; nanos: number } | undefined,
  expected: string,
): boolean {
  if (isMapping(json)) return false;
  const parsed = typeof json === 'string' ? parse(json) : undefined;
  if (parsed === undefined) problems.add(`expected ${expected}, got ${describeValue(json)}`);
  if (parsed !== undefined && parsed.nanos !== 0) {
    writer.int32(parsed.nanos);
    writer.tag(2, WireType.varint);
  }
  if (parsed !== undefined && parsed.seconds !== 0n) {
    writer.varint64(parsed.seconds);
    writer.tag(1, WireType.varint);
  }
  return true;
}

function encodeAny(encoder: MessageEncoder, writer: Writer, json: unknown, depth: number): void {
  if (isMapping(json) && Object.keys(json).length === 0) return;
  const any = encoder.any(json, depth + 1);
  if (any === undefined) return;
  if (any.value.length > 0) writer.blobField(2, any.value);
  if (any.typeUrl !== '') writer.stringField(1, any.typeUrl);
}

const VALUE_KINDS: Record<string, string | undefined> = {
  boolean: 'bool_value',
  string: 'string_value',
  number: 'number_value',
  bigint: 'number_value',
};

function encodeValue(
  encoder: MessageEncoder,
  writer: Writer,
  type: CatalogueMessage,
  json: unknown,
  depth: number,
): void {
  let kind = VALUE_KINDS[typeof json];
  if (json === null) kind = 'null_value';
  else if (Array.isArray(json)) kind = 'list_value';
  else if (isMapping(json)) kind = 'struct_value';
  const field = kind === undefined ? undefined : type.byName.get(kind);
  if (field === undefined) encoder.problems.add(`expected a JSON value, got ${describeValue(json)}`);
  else encoder.field(writer, field, json, depth);
}

function encodeFieldMask({ problems }: MessageEncoder, writer: Writer, json: unknown): void {
  if (typeof json !== 'string') {
    problems.add(`expected comma-separated paths, got ${describeValue(json)}`);
    return;
  }
  const paths = json.split(',').filter((path) => path !== '');
  for (const path of paths.reverse()) {
    writer.stringField(
      1,
      path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
  }
}

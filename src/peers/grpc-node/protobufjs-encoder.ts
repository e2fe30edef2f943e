import type { CatalogueField, CatalogueType } from '../../proto/json/catalogue.js';
import { wireTypeOf } from '../../proto/json/leaf.js';
import { writeScalar } from '../../proto/json/scalar-value.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { writeUtf8 } from '../../proto/wire/utf8.js';
import { Writer } from '../../proto/wire/writer.js';
import { decodeAsProtobufJs, type Element, type Leaf, ProtobufJsMessage } from './protobufjs-message.js';
import { ThrownError } from './thrown-error.js';
import { AGGREGATE_CLUSTER, DOWNSTREAM_TLS, HTTP_CONNECTION_MANAGER, UPSTREAM_TLS } from './types.js';

/** The types of Anys that grpc-js-xds decodes. */
const DECODED = new Set([AGGREGATE_CLUSTER, DOWNSTREAM_TLS, HTTP_CONNECTION_MANAGER, UPSTREAM_TLS]);

/** grpc-js-xds does not read these conditions of a route. C-core skips a route that has them. */
const UNREAD = { message: 'envoy.config.route.v3.RouteMatch', field: 'query_parameters' };

/** Encodes what grpc-js-xds reads of a message, so that C-core's stricter reader reads the same. */
export function encodeForCCore(message: ProtobufJsMessage): Uint8Array {
  const writer = new Writer();
  writeMessage(writer, message);
  return writer.finish();
}

/** The writer needs the fields in descending order. */
function writeMessage(writer: Writer, message: ProtobufJsMessage): void {
  const fields = [...message.fields()].sort(([a], [b]) => b.number - a.number);
  for (const [field, value] of fields) {
    if (field.name === UNREAD.field && message.typeName === UNREAD.message) continue;
    if (value instanceof Map) for (const entry of [...value].reverse()) writeEntry(writer, field, entry);
    else
      for (const one of (Array.isArray(value) ? value : [value]).reverse())
        writeField(writer, field.number, field.type, one);
  }
}

function writeEntry(writer: Writer, field: CatalogueField, [key, value]: [string, Element | undefined]): void {
  const before = writer.length;
  if (value !== undefined) writeField(writer, 2, field.type, value);
  // All maps that gRPC reads have texts as keys.
  writeField(writer, 1, { kind: 'scalar', scalar: 'string' }, key);
  writer.delimitedHeader(field.number, writer.length - before);
}

function writeField(writer: Writer, number: number, type: CatalogueType, value: Element): void {
  if (value instanceof ProtobufJsMessage) {
    const before = writer.length;
    if (type.kind === 'message' && type.name === 'google.protobuf.Any') writeAny(writer, value);
    else writeMessage(writer, value);
    writer.delimitedHeader(number, writer.length - before);
    return;
  }
  if (type.kind === 'scalar') writeScalar(writer, type.scalar, scalarOf(value));
  else writer.int32(value as number);
  writer.tag(number, wireTypeOf(type));
}

function scalarOf(value: Leaf): Exclude<Leaf, string> {
  return typeof value === 'string' ? writeUtf8(value) : value;
}

function writeAny(writer: Writer, any: ProtobufJsMessage): void {
  const url = any.text('type_url');
  writer.blobField(2, contentsOf(url, any.bytes('value')));
  writer.stringField(1, url);
}

/** Keeps bytes that grpc-js-xds does not decode, or cannot. */
function contentsOf(url: string, bytes: Uint8Array): Uint8Array {
  const typeName = typeNameOf(url);
  if (!DECODED.has(typeName)) return bytes;
  try {
    return encodeForCCore(decodeAsProtobufJs(typeName, bytes));
  } catch (error) {
    if (error instanceof ThrownError) return bytes;
    throw error;
  }
}

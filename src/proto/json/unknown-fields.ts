import { fromBase64, toBase64 } from '../../base/base64.js';
import { type Reader, WireType } from '../wire/reader.js';
import type { Writer } from '../wire/writer.js';
import type { Json } from './well-known.js';

/** Prints an unknown field with its number: `{"field": 57, "varint": "5"}`. */
export function printUnknown(reader: Reader, tag: number): Json {
  const field = tag >>> 3;
  switch (tag & 7) {
    case WireType.varint:
      return { field, varint: String(reader.uint64()) };
    case WireType.fixed64:
      return { field, fixed64: String(reader.fixed64()) };
    case WireType.fixed32:
      return { field, fixed32: reader.fixed32() };
    case WireType.bytes:
      return { field, bytes: toBase64(reader.blob()) };
    default: {
      const from = reader.pos;
      reader.skip(tag);
      return { field, group: toBase64(reader.bytes.subarray(from, reader.pos)) };
    }
  }
}

/** Encodes the output of `printUnknown`. Returns `false` if the entry has another form. */
export function writeUnknown(writer: Writer, entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { field, ...rest } = entry as Record<string, unknown>;
  const [[kind, value] = ['', undefined], ...more] = Object.entries(rest);
  const write = Object.hasOwn(WRITERS, kind) ? WRITERS[kind] : undefined;
  const number = Number(field);
  if (write === undefined || more.length > 0 || !Number.isInteger(number) || number < 1 || number > MAX_FIELD)
    return false;
  return write(writer, number, String(value));
}

const MAX_FIELD = 0x1fffffff;

const WRITERS: Record<string, (writer: Writer, field: number, value: string) => boolean> = {
  varint: (writer, field, value) => writeUnsigned(value, (n) => writer.varint64(n), writer, field, WireType.varint),
  fixed64: (writer, field, value) => writeUnsigned(value, (n) => writer.fixed64(n), writer, field, WireType.fixed64),
  fixed32: (writer, field, value) =>
    writeUnsigned(value, (n) => writer.fixed32(Number(n)), writer, field, WireType.fixed32),
  bytes: (writer, field, value) => {
    const raw = fromBase64(value);
    if (raw !== undefined) writer.blobField(field, raw);
    return raw !== undefined;
  },
  group: (writer, field, value) => {
    const raw = fromBase64(value);
    if (raw === undefined) return false;
    writer.raw(raw);
    writer.tag(field, WireType.startGroup);
    return true;
  },
};

function writeUnsigned(
  value: string,
  write: (value: bigint) => void,
  writer: Writer,
  field: number,
  wireType: number,
): boolean {
  if (!/^\d{1,20}$/.test(value)) return false;
  write(BigInt(value));
  writer.tag(field, wireType);
  return true;
}

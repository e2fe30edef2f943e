import { fromBase64, toBase64 } from '../../base/base64.js';
import { type Reader, WireType } from '../wire/reader.js';
import type { Writer } from '../wire/writer.js';
import type { Json } from './well-known.js';

/** A field that no description knows, by number: `{"field": 57, "varint": "5"}`. */
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

/** Writes what `printUnknown` printed; `false` if it is no such thing. */
export function writeUnknown(writer: Writer, entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { field, varint, fixed64, fixed32, bytes, group } = entry as Record<string, unknown>;
  const number = Number(field);
  if (!Number.isInteger(number) || number < 1 || number > 0x1fffffff) return false;
  if (varint !== undefined && isUnsigned(varint)) writer.varint64(BigInt(varint));
  else if (fixed64 !== undefined && isUnsigned(fixed64)) writer.fixed64(BigInt(fixed64));
  else if (fixed32 !== undefined && isUnsigned(fixed32)) writer.fixed32(Number(fixed32));
  else {
    const raw = fromBase64(String(bytes ?? group ?? '='));
    if (raw === undefined || (bytes === undefined && group === undefined)) return false;
    writer.raw(raw);
    if (bytes !== undefined) writer.varint32(raw.length);
  }
  writer.tag(number, varint !== undefined ? WireType.varint : fixed64 !== undefined ? WireType.fixed64 : fixed32 !== undefined ? WireType.fixed32 : bytes !== undefined ? WireType.bytes : WireType.startGroup);
  return true;
}

function isUnsigned(value: unknown): value is string | number | bigint {
  return (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') && /^\d{1,20}$/.test(String(value));
}

import { fromBase64 } from '../../base/base64.js';
import { describeValue } from '../../base/shape.js';
import type { Scalar } from '../wire/scalars.js';
import { writeUtf8 } from '../wire/utf8.js';
import type { Writer } from '../wire/writer.js';

/** A scalar from JSON that is ready to be encoded, or the problem with it. */
export type ScalarValue = { value: bigint | number | boolean | Uint8Array; isDefault: boolean } | { problem: string };

const RANGES: Partial<Record<Scalar, [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  sint32: [-(2n ** 31n), 2n ** 31n - 1n],
  sfixed32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  fixed32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  sint64: [-(2n ** 63n), 2n ** 63n - 1n],
  sfixed64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
  fixed64: [0n, 2n ** 64n - 1n],
};

export function readScalar(kind: Scalar, json: unknown): ScalarValue {
  if (kind === 'string') {
    if (typeof json === 'string') return { value: writeUtf8(json), isDefault: json === '' };
    return {
      problem: `expected a string, got ${describeValue(json)}${typeof json === 'object' ? '' : ': put it in quotes'}`,
    };
  }
  if (kind === 'bytes') {
    const bytes = typeof json === 'string' ? fromBase64(json) : undefined;
    return bytes === undefined
      ? { problem: `expected base64, got ${describeValue(json)}` }
      : { value: bytes, isDefault: bytes.length === 0 };
  }
  if (kind === 'bool')
    return typeof json === 'boolean'
      ? { value: json, isDefault: !json }
      : { problem: `expected true or false, got ${describeValue(json)}` };
  const range = RANGES[kind];
  return range === undefined ? readFloat(json) : readInteger(kind, json, range);
}

function readInteger(kind: Scalar, json: unknown, [low, high]: [bigint, bigint]): ScalarValue {
  let value: bigint | undefined;
  if (typeof json === 'bigint') value = json;
  else if (typeof json === 'number' && Number.isInteger(json)) value = BigInt(json);
  else if (typeof json === 'string' && /^-?\d{1,20}$/.test(json)) value = BigInt(json);
  if (value === undefined) return { problem: `expected an integer, got ${describeValue(json)}` };
  if (value < low || value > high) return { problem: `${value} does not fit ${kind} (${low} to ${high})` };
  return { value, isDefault: value === 0n };
}

function readFloat(json: unknown): ScalarValue {
  if (typeof json === 'number' || typeof json === 'bigint')
    return { value: Number(json), isDefault: Object.is(Number(json), 0) };
  if (typeof json === 'string' && /^(NaN|-?Infinity|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(json))
    return { value: Number(json), isDefault: false };
  return { problem: `expected a number, got ${describeValue(json)}` };
}

export function writeScalar(writer: Writer, kind: Scalar, value: bigint | number | boolean | Uint8Array): void {
  if (value instanceof Uint8Array) {
    writer.raw(value);
    writer.varint32(value.length);
  } else if (kind === 'double') writer.double(Number(value));
  else if (kind === 'float') writer.float(Number(value));
  else if (kind === 'fixed32' || kind === 'sfixed32') writer.fixed32(Number(value));
  else if (kind === 'fixed64' || kind === 'sfixed64') writer.fixed64(BigInt(value));
  else if (kind === 'sint32' || kind === 'sint64')
    writer.varint64((BigInt(value) << 1n) ^ (BigInt(value) < 0n ? -1n : 0n));
  else writer.varint64(BigInt(value));
}

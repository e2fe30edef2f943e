import type { Scalar } from '../wire/scalars.js';
import type { JsonSchema } from './json-schema.js';

/** Proto JSON has 64-bit integers as strings, and accepts strings for all numbers. */
function integer(minimum: number, maximum: number): JsonSchema[] {
  const pattern = minimum < 0 ? '^-?[0-9]{1,20}$' : '^[0-9]{1,20}$';
  return [
    { type: 'integer', minimum, maximum },
    { type: 'string', pattern },
  ];
}

const INT32 = integer(-(2 ** 31), 2 ** 31 - 1);
const UINT32 = integer(0, 2 ** 32 - 1);
const INT64 = integer(-(2 ** 63), 2 ** 63);
const UINT64 = integer(0, 2 ** 64);
const FLOAT: JsonSchema[] = [
  { type: 'number' },
  { type: 'string', pattern: '^(NaN|-?Infinity|-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?)$' },
];

/** The forms of each scalar in proto JSON. */
export const SCALAR_FORMS: Readonly<Record<Scalar, readonly JsonSchema[]>> = {
  double: FLOAT,
  float: FLOAT,
  int32: INT32,
  sint32: INT32,
  sfixed32: INT32,
  uint32: UINT32,
  fixed32: UINT32,
  int64: INT64,
  sint64: INT64,
  sfixed64: INT64,
  uint64: UINT64,
  fixed64: UINT64,
  bool: [{ type: 'boolean' }],
  string: [{ type: 'string' }],
  bytes: [{ type: 'string', pattern: '^([A-Za-z0-9+/_-]{4})*([A-Za-z0-9+/_-]{2,3})?={0,2}$' }],
};

/** A number of an enum. */
export const ENUM_NUMBER = INT32[0] as JsonSchema;

/** The keys of a map are strings in JSON. Undefined if they may be any text. */
export function mapKeySchema(scalar: Scalar): JsonSchema | undefined {
  if (scalar === 'string') return undefined;
  return scalar === 'bool' ? { enum: ['true', 'false'] } : { pattern: '^-?[0-9]{1,20}$' };
}

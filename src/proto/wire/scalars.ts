/** The scalar types of protobuf, as .proto files spell them, with their wire types. */
export const SCALAR_WIRE_TYPES = {
  double: 1,
  float: 5,
  int32: 0,
  uint32: 0,
  sint32: 0,
  fixed32: 5,
  sfixed32: 5,
  int64: 0,
  uint64: 0,
  sint64: 0,
  fixed64: 1,
  sfixed64: 1,
  bool: 0,
  string: 2,
  bytes: 2,
} as const;

export type Scalar = keyof typeof SCALAR_WIRE_TYPES;

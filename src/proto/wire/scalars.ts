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

/** Scalars by number of FieldDescriptorProto.Type. The other numbers are messages, enums and groups. */
export const DESCRIPTOR_SCALARS: Readonly<Record<number, Scalar>> = {
  1: 'double',
  2: 'float',
  3: 'int64',
  4: 'uint64',
  5: 'int32',
  6: 'fixed64',
  7: 'fixed32',
  8: 'bool',
  9: 'string',
  12: 'bytes',
  13: 'uint32',
  15: 'sfixed32',
  16: 'sfixed64',
  17: 'sint32',
  18: 'sint64',
};

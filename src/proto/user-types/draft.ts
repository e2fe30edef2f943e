import { SCALAR_WIRE_TYPES, type Scalar } from '../wire/scalars.js';

/** The messages and enums that a file declares, with the names of field types not yet resolved. */
export interface Drafts {
  messages: DraftMessage[];
  enums: DraftEnum[];
}

export interface DraftMessage {
  fullName: string;
  fields: DraftField[];
}

export interface DraftField {
  number: number;
  name: string;
  /** Set if it differs from the name that protobuf derives. */
  jsonName: string | undefined;
  /** `name` is absolute if it begins with a dot. Otherwise it is resolved from the innermost scope outwards. */
  type: { scalar: Scalar } | { name: string };
  repeated: boolean;
  mapKey: Scalar | undefined;
  /**
   * Members of the same oneof have the same number. Any other field with presence has its own number, so that its
   * default value is printed.
   */
  oneof: number | undefined;
  sensitive: boolean;
}

export interface DraftEnum {
  fullName: string;
  values: { name: string; number: number }[];
}

const NOT_MAP_KEYS: readonly string[] = ['double', 'float', 'bytes'];

/** The scalar types that can be map keys. */
export const MAP_KEYS: ReadonlySet<string> = new Set(
  Object.keys(SCALAR_WIRE_TYPES).filter((scalar) => !NOT_MAP_KEYS.includes(scalar)),
);

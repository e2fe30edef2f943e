import { SCALAR_WIRE_TYPES, type Scalar } from '../wire/scalars.js';

/** A message or enum as a file declares it: the types of fields are names that have yet to be looked up. */
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
  /** Where it is not what the name leads to. */
  jsonName: string | undefined;
  /** `name` is absolute if it begins with a dot; if not, it is looked up from the message outwards. */
  type: { scalar: Scalar } | { name: string };
  repeated: boolean;
  mapKey: Scalar | undefined;
  /** Members of one oneof share a number; so that its default is printed, a field with presence has one of its own. */
  oneof: number | undefined;
  sensitive: boolean;
}

export interface DraftEnum {
  fullName: string;
  values: { name: string; number: number }[];
}

const NO_KEYS: readonly string[] = ['double', 'float', 'bytes'];

/** What may be the key of a map. */
export const MAP_KEYS: ReadonlySet<string> = new Set(
  Object.keys(SCALAR_WIRE_TYPES).filter((scalar) => !NO_KEYS.includes(scalar)),
);

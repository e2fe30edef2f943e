import type { Catalogue, CatalogueField, CatalogueMessage, CatalogueType } from '../../proto/json/catalogue.js';
import type { Scalar } from '../../proto/wire/scalars.js';
import { Writer } from '../../proto/wire/writer.js';

/** The contents of a FileDescriptorProto. */
export interface DescribedFile {
  name: string;
  packageName: string;
  imports: readonly string[];
  /** Full names of its top-level types. */
  types: readonly string[];
  service?: ServiceDescription;
}

export interface ServiceDescription {
  name: string;
  methods: readonly { name: string; input: string; output: string; isStreaming: boolean }[];
}

/** FieldDescriptorProto.Type */
const SCALAR_TYPES: Record<Scalar, number> = {
  double: 1,
  float: 2,
  int64: 3,
  uint64: 4,
  int32: 5,
  fixed64: 6,
  fixed32: 7,
  bool: 8,
  string: 9,
  bytes: 12,
  uint32: 13,
  sfixed32: 15,
  sfixed64: 16,
  sint32: 17,
  sint64: 18,
};
const MESSAGE_TYPE = 11;
const ENUM_TYPE = 14;
const OPTIONAL = 1;
const REPEATED = 3;
const VARINT = 0;

/** Encodes a FileDescriptorProto. `nestedIn` returns the nested types of a type. */
export function writeFile(
  file: DescribedFile,
  catalogue: Catalogue,
  nestedIn: (name: string) => readonly string[],
): Uint8Array {
  const writer = new DescriptorWriter(catalogue, nestedIn);
  writer.file(file);
  return writer.finish();
}

/** Writes from the last field to the first, as Writer requires. */
class DescriptorWriter {
  readonly #out = new Writer();
  readonly #catalogue: Catalogue;
  readonly #nestedIn: (name: string) => readonly string[];

  constructor(catalogue: Catalogue, nestedIn: (name: string) => readonly string[]) {
    this.#catalogue = catalogue;
    this.#nestedIn = nestedIn;
  }

  finish(): Uint8Array {
    return this.#out.finish();
  }

  file({ name, packageName, imports, types, service }: DescribedFile): void {
    this.#out.stringField(12, 'proto3');
    if (service !== undefined) this.#inside(6, () => this.#service(service));
    this.#types(types, 5, 4);
    for (const one of [...imports].reverse()) this.#out.stringField(3, one);
    this.#out.stringField(2, packageName);
    this.#out.stringField(1, name);
  }

  #types(names: readonly string[], enumField: number, messageField: number): void {
    const backwards = [...names].reverse();
    const isEnum = (name: string): boolean => this.#catalogue.enumType(name) !== undefined;
    for (const name of backwards.filter(isEnum)) this.#inside(enumField, () => this.#enum(name));
    for (const name of backwards.filter((one) => !isEnum(one))) this.#inside(messageField, () => this.#message(name));
  }

  #message(name: string): void {
    const type = this.#catalogue.message(name);
    const fields = type === undefined ? [] : inOneofs(type);
    const oneofs = [...new Set(fields.flatMap(({ oneof }) => oneof ?? []))];
    for (const oneof of [...oneofs].reverse()) this.#inside(8, () => this.#out.stringField(1, `oneof_${oneof}`));
    this.#types(this.#nestedIn(name), 4, 3);
    const maps = fields.filter(({ mapKey }) => mapKey !== undefined);
    for (const field of maps.reverse()) this.#inside(3, () => this.#mapEntry(field));
    for (const field of [...fields].reverse()) {
      const place = field.oneof === undefined ? undefined : oneofs.indexOf(field.oneof);
      this.#inside(2, () => this.#field(field, name, place));
    }
    this.#out.stringField(1, simpleName(name));
  }

  #field(field: CatalogueField, message: string, oneof: number | undefined): void {
    const isMap = field.mapKey !== undefined;
    this.#out.stringField(10, field.jsonName);
    if (oneof !== undefined) this.#number(9, oneof);
    const type: CatalogueType = isMap ? { kind: 'message', name: `${message}.${entryName(field)}` } : field.type;
    this.#type(type);
    this.#number(4, field.repeated || isMap ? REPEATED : OPTIONAL);
    this.#number(3, field.number);
    this.#out.stringField(1, field.name);
  }

  /** Writes the entry type of a map: a message with a key and a value. */
  #mapEntry(field: CatalogueField): void {
    this.#inside(7, () => this.#number(7, 1));
    const part = (name: string, number: number, type: CatalogueType): void =>
      this.#inside(2, () => {
        this.#out.stringField(10, name);
        this.#type(type);
        this.#number(4, OPTIONAL);
        this.#number(3, number);
        this.#out.stringField(1, name);
      });
    part('value', 2, field.type);
    part('key', 1, { kind: 'scalar', scalar: field.mapKey as Scalar });
    this.#out.stringField(1, entryName(field));
  }

  #type(type: CatalogueType): void {
    if (type.kind === 'scalar') {
      this.#number(5, SCALAR_TYPES[type.scalar]);
      return;
    }
    this.#out.stringField(6, `.${type.name}`);
    this.#number(5, type.kind === 'message' ? MESSAGE_TYPE : ENUM_TYPE);
  }

  #enum(name: string): void {
    const values = [...(this.#catalogue.enumType(name)?.byNumber ?? [])];
    for (const [number, value] of values.reverse()) {
      this.#inside(2, () => {
        this.#out.int32(number);
        this.#out.tag(2, VARINT);
        this.#out.stringField(1, value);
      });
    }
    this.#out.stringField(1, simpleName(name));
  }

  #service({ name, methods }: ServiceDescription): void {
    for (const { name: method, input, output, isStreaming } of [...methods].reverse()) {
      this.#inside(2, () => {
        if (isStreaming) {
          this.#number(6, 1);
          this.#number(5, 1);
        }
        this.#out.stringField(3, `.${output}`);
        this.#out.stringField(2, `.${input}`);
        this.#out.stringField(1, method);
      });
    }
    this.#out.stringField(1, simpleName(name));
  }

  #number(field: number, value: number): void {
    this.#out.varint32(value);
    this.#out.tag(field, VARINT);
  }

  #inside(field: number, write: () => void): void {
    this.#out.messageField(field, write, undefined);
  }
}

/** Moves the members of a oneof next to the first of them, because they must be adjacent. */
function inOneofs({ byNumber }: CatalogueMessage): CatalogueField[] {
  const fields = [...byNumber.values()];
  const seen = new Set<number>();
  return fields.flatMap((field) => {
    const { oneof } = field;
    if (oneof === undefined) return [field];
    if (seen.has(oneof)) return [];
    seen.add(oneof);
    return fields.filter((other) => other.oneof === oneof);
  });
}

function simpleName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Returns the name that protoc gives to the entry type of a map: `FieldsEntry` for `fields`. */
function entryName({ name }: CatalogueField): string {
  return `${name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Entry`;
}

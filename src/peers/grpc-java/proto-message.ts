import type { CatalogueField, CatalogueMessage } from '../../proto/json/catalogue.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';

export type ScalarValue = number | bigint | boolean | string | Uint8Array;
export type ProtoValue = ScalarValue | ProtoMessage | (ScalarValue | ProtoMessage)[] | ProtoMap;
export type ProtoMap = Map<ScalarValue, ScalarValue | ProtoMessage>;

/** Fields that the API does not have, by number. */
export interface UnknownField {
  number: number;
  value:
    | { varint: bigint }
    | { fixed32: number }
    | { fixed64: bigint }
    | { bytes: Uint8Array }
    | { group: UnknownField[] };
}

/** A decoded message of any type of the API. Like the classes of protobuf-java, it returns defaults for absent fields. */
export class ProtoMessage {
  readonly type: CatalogueMessage;
  /** By field number. Fields without presence are absent if they have their default value. */
  readonly values = new Map<number, ProtoValue>();
  readonly unknown: UnknownField[] = [];

  constructor(type: CatalogueMessage) {
    this.type = type;
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  /** A nested message, empty if it is absent. */
  message(name: string): ProtoMessage {
    const value = this.#value(name);
    return value instanceof ProtoMessage ? value : newMessage(this.#messageType(name));
  }

  messages(name: string): ProtoMessage[] {
    return this.#list(name) as ProtoMessage[];
  }

  string(name: string): string {
    return (this.#value(name) ?? '') as string;
  }

  strings(name: string): string[] {
    return this.#list(name) as string[];
  }

  bytes(name: string): Uint8Array {
    return (this.#value(name) ?? new Uint8Array(0)) as Uint8Array;
  }

  bool(name: string): boolean {
    return (this.#value(name) ?? false) as boolean;
  }

  /** A number of 32 bits as Java reads it: signed, even if the field is not. */
  int(name: string): number {
    return ((this.#value(name) ?? 0) as number) | 0;
  }

  ints(name: string): number[] {
    return (this.#list(name) as number[]).map((value) => value | 0);
  }

  /** A number of 64 bits as Java reads it: signed. */
  long(name: string): bigint {
    return BigInt.asIntN(64, (this.#value(name) ?? 0n) as bigint);
  }

  double(name: string): number {
    return (this.#value(name) ?? 0) as number;
  }

  /** The name of an enum value. */
  enumName(name: string): string {
    return enumName(this.field(name), this.int(name)) ?? 'UNRECOGNIZED';
  }

  map(name: string): Map<string, ProtoMessage> {
    return (this.#value(name) ?? new Map()) as Map<string, ProtoMessage>;
  }

  /** The name of the member that is set, of the oneof that contains this field. */
  memberOf(name: string): string | undefined {
    const { oneof } = this.field(name);
    for (const number of this.values.keys()) {
      const field = this.type.byNumber.get(number);
      if (field !== undefined && field.oneof === oneof) return field.name;
    }
    return undefined;
  }

  field(name: string): CatalogueField {
    const field = this.type.byName.get(name);
    if (field === undefined) throw new Error(`${this.type.name} has no field ${name}`);
    return field;
  }

  #value(name: string): ProtoValue | undefined {
    return this.values.get(this.field(name).number);
  }

  #list(name: string): unknown {
    return this.#value(name) ?? [];
  }

  #messageType(name: string): string {
    const { type } = this.field(name);
    if (type.kind !== 'message') throw new Error(`${name} of ${this.type.name} is not a message`);
    return type.name;
  }
}

export function newMessage(typeName: string): ProtoMessage {
  const type = xdsCatalogue.message(typeName);
  if (type === undefined) throw new Error(`the API has no type ${typeName}`);
  return new ProtoMessage(type);
}

export function enumName({ type }: CatalogueField, value: number): string | undefined {
  return type.kind === 'enum' ? xdsCatalogue.enumType(type.name)?.byNumber.get(value) : undefined;
}

/** The case of a oneof as Java prints it: `EXACT_MATCH`, or `HEADERMATCHSPECIFIER_NOT_SET`. */
export function oneofCase(message: ProtoMessage, member: string, notSet: string): string {
  return message.memberOf(member)?.toUpperCase() ?? notSet;
}

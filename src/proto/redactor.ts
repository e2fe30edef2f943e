import { isSecretName, REDACTED } from '../base/secret-name.js';
import { CATALOGUE } from './generated/catalogue.js';
import { SECRET_HOLDERS } from './generated/secret-holders.js';
import type { Catalogue, CatalogueField, CatalogueMessage } from './json/catalogue.js';
import { HEADER_VALUE, hasSecretField, mayContainSecrets, SECRET_LOCATIONS } from './json/secrets.js';
import { typeNameOf } from './json/type-name.js';
import { Malformed } from './wire/malformed.js';
import { Reader, WireType } from './wire/reader.js';

const ANY = 'google.protobuf.Any';
const MAX_DEPTH = 200;
const MAX_NUMBERED = 100_000;

/** Messages that may contain secrets, directly or in nested messages. */
const SECRET_MESSAGES: ReadonlySet<string> = new Set(SECRET_HOLDERS.map((index) => CATALOGUE.names[index] as string));

/** A field that is secret or whose message may contain secrets. */
interface PlannedField {
  field: CatalogueField;
  /** The plan of the message in the field; created on first use. */
  plan: RedactionPlan | undefined;
}

/** The fields to visit in messages of a type. */
interface RedactionPlan {
  name: string;
  fields: ReadonlyMap<number, PlannedField>;
  /** Set for messages with secret fields, where an unknown field from a newer API is probably secret too. */
  knownFields: ReadonlyMap<number, unknown> | undefined;
}

/**
 * Redacts secrets in encoded messages and keeps everything else in place. Overwrites secret strings and bytes with
 * `[redacted]`, truncated or padded to the same length. The last characters number the secrets, so that equal secrets
 * stay equal and different ones stay different.
 */
export class Redactor {
  readonly #catalogue: Catalogue;
  readonly #plans = new Map<string, RedactionPlan>();
  readonly #byTypeUrl = new Map<string, RedactionPlan | undefined>();
  readonly #numbers = new Map<string, number>();
  #original: Uint8Array = new Uint8Array();
  #copy: Uint8Array | undefined;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Returns the same bytes, or a redacted copy if they contain secrets. */
  redact(type: string, bytes: Uint8Array): Uint8Array {
    this.#original = bytes;
    this.#copy = undefined;
    try {
      const plan = this.#planOf(type);
      if (plan !== undefined) this.#message(plan, new Reader(bytes), 0);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
    }
    return this.#copy ?? bytes;
  }

  /** The hot path: it allocates nothing and skips fields that cannot contain secrets. */
  #message(plan: RedactionPlan, reader: Reader, depth: number): void {
    if (depth > MAX_DEPTH) reader.fail('too deep');
    if (plan.name === ANY) return void this.#any(reader, depth, false);
    if (plan.name === HEADER_VALUE) return void this.#header(reader);
    const { fields: steps } = plan;
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      const planned = steps.get(tag >>> 3);
      if (planned === undefined) this.#unplannedField(plan, tag, reader);
      else if (planned.field.sensitive) this.#secret(planned.field, tag, reader, depth);
      else if ((tag & 7) !== WireType.bytes) reader.skip(tag);
      else {
        const stop = reader.delimited();
        const outer = reader.end;
        reader.end = stop;
        this.#plannedField(planned, reader, depth + 1);
        reader.pos = stop;
        reader.end = outer;
      }
    }
  }

  /** Visits a message field, or an entry of a map of messages. */
  #plannedField(planned: PlannedField, reader: Reader, depth: number): void {
    const { type, mapKey } = planned.field;
    planned.plan ??= type.kind === 'message' ? this.#planOf(type.name) : undefined;
    const { plan } = planned;
    if (plan === undefined) return;
    if (mapKey === undefined) this.#message(plan, reader, depth);
    else this.#entry(reader, () => this.#within(reader, (inner) => this.#message(plan, inner, depth)));
  }

  #unplannedField({ knownFields: known }: RedactionPlan, tag: number, reader: Reader): void {
    if (known === undefined || known.has(tag >>> 3)) reader.skip(tag);
    else this.#fillValue(tag, reader);
  }

  /** Finds the value of a map entry. */
  #entry(reader: Reader, onValue: () => void): void {
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      if (tag === ((2 << 3) | WireType.bytes)) onValue();
      else reader.skip(tag);
    }
  }

  #within(reader: Reader, walk: (reader: Reader) => void): void {
    const stop = reader.delimited();
    const outer = reader.end;
    reader.end = stop;
    walk(reader);
    reader.pos = stop;
    reader.end = outer;
  }

  /** The type URL may follow the value. */
  #any(reader: Reader, depth: number, isSecret: boolean): void {
    let typeUrl = '';
    let start = -1;
    let end = -1;
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      if (tag === ((1 << 3) | WireType.bytes)) typeUrl = reader.typeUrl();
      else if (tag === ((2 << 3) | WireType.bytes)) {
        // The last value wins. A first value could hide a secret, so it is redacted.
        if (start >= 0) this.#fill(start, end);
        end = reader.delimited();
        start = reader.pos;
        reader.pos = end;
      } else reader.skip(tag);
    }
    if (start >= 0) this.#anyValue(typeUrl, start, end, reader, depth, isSecret);
  }

  #anyValue(typeUrl: string, start: number, end: number, reader: Reader, depth: number, isSecret: boolean): void {
    let plan = this.#byTypeUrl.get(typeUrl);
    if (plan === undefined && !this.#byTypeUrl.has(typeUrl)) {
      plan = this.#planOf(typeNameOf(typeUrl));
      this.#byTypeUrl.set(typeUrl, plan);
    }
    if (plan === undefined && !isSecret) return;
    const type = isSecret ? this.#catalogue.message(typeNameOf(typeUrl)) : undefined;
    if (isSecret && type === undefined) return void this.#fill(start, end);
    const { pos, end: outer } = reader;
    try {
      reader.pos = start;
      reader.end = end;
      if (type !== undefined) this.#secretMessage(type, reader, depth + 1);
      else if (plan !== undefined) this.#message(plan, reader, depth + 1);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      // No message begins with 0xff, so these bytes stay undecodable.
      if (isSecret || this.#mayContainSecrets(typeUrl)) this.#writable().fill(0xff, start, end);
    }
    reader.pos = pos;
    reader.end = outer;
  }

  #mayContainSecrets(typeUrl: string): boolean {
    const type = this.#catalogue.message(typeNameOf(typeUrl));
    return type !== undefined && mayContainSecrets(this.#catalogue, type);
  }

  /** Redacts the value of a header with credentials. */
  #header(reader: Reader): void {
    const start = reader.pos;
    let isSecret = false;
    for (const isSecondPass of [false, true]) {
      reader.pos = start;
      while (reader.pos < reader.end) {
        const tag = reader.tag();
        if (tag === ((1 << 3) | WireType.bytes)) isSecret = isSecretName(reader.string());
        else if (isSecondPass && isSecret && (tag & 7) === WireType.bytes) this.#fillNext(reader);
        else reader.skip(tag);
      }
    }
  }

  #secret(field: CatalogueField, tag: number, reader: Reader, depth: number): void {
    const { type, mapKey } = field;
    const message = type.kind === 'message' ? this.#catalogue.message(type.name) : undefined;
    if ((tag & 7) !== WireType.bytes) this.#fillNumber(tag, reader);
    else if (mapKey !== undefined) {
      const value = { ...field, mapKey: undefined };
      this.#within(reader, (entry) => this.#entry(entry, () => this.#secret(value, WireType.bytes, entry, depth + 1)));
    } else if (message === undefined) this.#fillNext(reader);
    else this.#within(reader, (inner) => this.#secretMessage(message, inner, depth + 1));
  }

  /** Redacts a whole message except for its structure and the location of a secret. */
  #secretMessage(type: CatalogueMessage, reader: Reader, depth: number): void {
    if (depth > MAX_DEPTH) reader.fail('too deep');
    if (type.name === ANY) this.#any(reader, depth, true);
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      const field = type.byNumber.get(tag >>> 3);
      if (field !== undefined && SECRET_LOCATIONS[type.name]?.has(field.jsonName) === true) reader.skip(tag);
      else if (field !== undefined) this.#secret(field, tag, reader, depth);
      else this.#fillValue(tag, reader);
    }
  }

  #fillValue(tag: number, reader: Reader): void {
    if ((tag & 7) === WireType.bytes) this.#fillNext(reader);
    else this.#fillNumber(tag, reader);
  }

  #fillNext(reader: Reader): void {
    const stop = reader.delimited();
    this.#fill(reader.pos, stop);
    reader.pos = stop;
  }

  /** Overwrites a number with zero in the same number of bytes. */
  #fillNumber(tag: number, reader: Reader): void {
    const start = reader.pos;
    reader.skip(tag);
    if ((tag & 7) === WireType.startGroup) return;
    const bytes = this.#writable();
    bytes.fill(0, start, reader.pos);
    if ((tag & 7) === WireType.varint) bytes.fill(0x80, start, reader.pos - 1);
  }

  #fill(start: number, end: number): void {
    const length = end - start;
    if (length === 0) return;
    const number = this.#numberOf(start, end);
    const text =
      number.length + 2 > length
        ? REDACTED.slice(0, length).padEnd(length, '.')
        : REDACTED.padEnd(length, '.').slice(0, length - number.length) + number;
    const bytes = this.#writable();
    for (let i = 0; i < length; i++) bytes[start + i] = text.charCodeAt(i);
  }

  #numberOf(start: number, end: number): string {
    let key = '';
    for (let i = start; i < end; i++) key += String.fromCharCode(this.#original[i] as number);
    let number = this.#numbers.get(key);
    if (number === undefined && this.#numbers.size < MAX_NUMBERED) {
      number = this.#numbers.size + 1;
      this.#numbers.set(key, number);
    }
    return number === undefined ? '' : String(number);
  }

  #writable(): Uint8Array {
    this.#copy ??= new Uint8Array(this.#original);
    return this.#copy;
  }

  #planOf(name: string): RedactionPlan | undefined {
    let plan = this.#plans.get(name);
    if (plan === undefined && SECRET_MESSAGES.has(name)) {
      const type = this.#catalogue.message(name);
      plan = type && planOf(type);
      if (plan !== undefined) this.#plans.set(name, plan);
    }
    return plan;
  }
}

function planOf(type: CatalogueMessage): RedactionPlan {
  const isPlanned = ({ sensitive, type: fieldType }: CatalogueField): boolean =>
    sensitive || (fieldType.kind === 'message' && SECRET_MESSAGES.has(fieldType.name));
  const steps = [...type.byNumber].filter(([, field]) => isPlanned(field));
  return {
    name: type.name,
    fields: new Map(steps.map(([number, field]) => [number, { field, plan: undefined }])),
    knownFields: hasSecretField(type) ? type.byNumber : undefined,
  };
}

import { isSecretName, REDACTED, redactText } from '../base/secret-name.js';
import type { Catalogue, CatalogueField, CatalogueMessage } from './json/catalogue.js';
import { mayContainSecrets, SECRET_LOCATIONS } from './json/secrets.js';
import { typeNameOf } from './json/type-name.js';
import { isSecretHolder, type PlannedField, planOf, type RedactionPlan } from './redaction-plan.js';
import { textAt } from './text-at.js';
import { Malformed } from './wire/malformed.js';
import { Reader, WireType } from './wire/reader.js';

const ANY = 'google.protobuf.Any';
const MAX_DEPTH = 200;
const MAX_NUMBERED = 100_000;
/** URIs are shorter; the rest of a longer one is not searched. */
const MAX_URI = 10_000;

/**
 * Redacts secrets in encoded messages and keeps everything else in place. Overwrites secret strings and bytes with
 * `[redacted]`, truncated or padded to the same length. The last characters number the secrets, so that equal secrets
 * stay equal and different ones stay different. A regular expression stays valid, or invalid.
 */
export class Redactor {
  readonly #catalogue: Catalogue;
  readonly #acceptsRegex: (pattern: string) => boolean;
  readonly #plans = new Map<string, RedactionPlan>();
  readonly #byTypeUrl = new Map<string, RedactionPlan | undefined>();
  readonly #numbers = new Map<string, number>();
  #original: Uint8Array = new Uint8Array();
  #copy: Uint8Array | undefined;

  /** `acceptsRegex` decides whether a regular expression is valid. */
  constructor(catalogue: Catalogue, acceptsRegex: (pattern: string) => boolean = () => true) {
    this.#catalogue = catalogue;
    this.#acceptsRegex = acceptsRegex;
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
    const secretNumbers = plan.named && this.#namesSecret(plan, reader) ? plan.named.numbers : undefined;
    const { fields: steps } = plan;
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      const planned = steps.get(tag >>> 3);
      if (secretNumbers?.has(tag >>> 3) === true) this.#texts(plan.type.byNumber.get(tag >>> 3), tag, reader, depth);
      else if (planned === undefined) this.#unplannedField(plan, tag, reader);
      else if (planned.field.sensitive) this.#secret(planned.field, tag, reader, depth);
      else if ((tag & 7) !== WireType.bytes) reader.skip(tag);
      else if (planned.isUri) this.#uri(reader);
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
    if (planned.isNamedByKey && this.#isSecretEntry(reader)) {
      const value = { ...planned.field, mapKey: undefined };
      this.#entry(reader, (tag) => this.#secret(value, tag, reader, depth));
      return;
    }
    if (plan === undefined) return;
    if (mapKey === undefined) this.#message(plan, reader, depth);
    else this.#entry(reader, () => this.#within(reader, (inner) => this.#message(plan, inner, depth)));
  }

  #unplannedField({ knownFields: known }: RedactionPlan, tag: number, reader: Reader): void {
    if (known === undefined || known.has(tag >>> 3)) reader.skip(tag);
    else this.#fillValue(tag, reader);
  }

  /** Finds the value of a map entry. */
  #entry(reader: Reader, onValue: (tag: number) => void): void {
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      if (tag === ((2 << 3) | WireType.bytes)) onValue(tag);
      else reader.skip(tag);
    }
  }

  /** Whether the key of a map entry names a secret. The key may follow the value. */
  #isSecretEntry(reader: Reader): boolean {
    const start = reader.pos;
    let isSecret = false;
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      if (tag === ((1 << 3) | WireType.bytes)) isSecret = isSecretName(reader.string());
      else reader.skip(tag);
    }
    reader.pos = start;
    return isSecret;
  }

  #namesSecret({ type, named }: RedactionPlan, reader: Reader): boolean {
    const bytes = this.#original.subarray(reader.pos, reader.end);
    return isSecretName(textAt(this.#catalogue, type, bytes, named?.path ?? []) ?? '');
  }

  /** Redacts the texts in a value and keeps its flags, so that a matcher stays a matcher of the same kind. */
  #texts(field: CatalogueField | undefined, tag: number, reader: Reader, depth: number): void {
    const { type } = field ?? {};
    if (depth > MAX_DEPTH) reader.fail('too deep');
    if ((tag & 7) !== WireType.bytes || type === undefined) return void reader.skip(tag);
    if (type.kind === 'scalar') return void this.#fillNext(reader, field?.name === 'regex');
    const message = type.kind === 'message' ? this.#catalogue.message(type.name) : undefined;
    if (message === undefined || message.name === ANY) return void reader.skip(tag);
    this.#within(reader, () => {
      while (reader.pos < reader.end) {
        const inner = reader.tag();
        this.#texts(message.byNumber.get(inner >>> 3), inner, reader, depth + 1);
      }
    });
  }

  /** Redacts the secrets in a URI. */
  #uri(reader: Reader): void {
    const stop = reader.delimited();
    const start = reader.pos;
    const text = String.fromCharCode(...this.#original.subarray(start, Math.min(stop, start + MAX_URI)));
    redactText(text, (secret, offset) => {
      this.#fill(start + offset, start + offset + secret.length);
      return secret;
    });
    reader.pos = stop;
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

  #fillNext(reader: Reader, isRegex = false): void {
    const stop = reader.delimited();
    this.#fill(reader.pos, stop, isRegex);
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

  #fill(start: number, end: number, isRegex = false): void {
    const length = end - start;
    if (length === 0) return;
    const number = this.#numberOf(start, end);
    const word = isRegex ? this.#regexFor(start, end) : REDACTED;
    const text =
      number.length + 2 > length
        ? word.slice(0, length).padEnd(length, '.')
        : word.padEnd(length, '.').slice(0, length - number.length) + number;
    const bytes = this.#writable();
    for (let i = 0; i < length; i++) bytes[start + i] = text.charCodeAt(i);
  }

  /** Any beginning of it is as valid as the original. */
  #regexFor(start: number, end: number): string {
    return this.#acceptsRegex(new TextDecoder().decode(this.#original.subarray(start, end))) ? 'redacted' : '(redacted';
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
    if (plan === undefined && isSecretHolder(name)) {
      const type = this.#catalogue.message(name);
      plan = type && planOf(type);
      if (plan !== undefined) this.#plans.set(name, plan);
    }
    return plan;
  }
}

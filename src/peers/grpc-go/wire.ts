import type { Catalogue, CatalogueField, CatalogueMessage, CatalogueType } from '../../proto/json/catalogue.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { accepts, wireTypeOf } from '../../proto/json/leaf.js';
import { Malformed } from '../../proto/wire/malformed.js';
import { WireType } from '../../proto/wire/reader.js';
import { checkUtf8 } from '../../proto/wire/utf8.js';

const INVALID_FORMAT = 'proto: cannot parse invalid wire-format data';
const INVALID_UTF8 = 'string field contains invalid UTF-8';
const RECURSION = 'proto: exceeded maximum recursion depth';

/** Go allows ten times as many nested messages; C-core allows 100. This limit saves the stack. */
const MAX_DEPTH = 1000;
const MAX_FIELD = 0x1fffffff;

/**
 * Returns the error with which Go's protobuf decoder rejects the bytes of a message; `undefined` if it accepts them.
 */
export function wireError(typeName: string, bytes: Uint8Array): string | undefined {
  const type = xdsCatalogue.message(typeName);
  if (type === undefined) return undefined;
  try {
    new Checker(xdsCatalogue, bytes).message(type, bytes.length, MAX_DEPTH);
    return undefined;
  } catch (error) {
    if (error instanceof WireRejection) return error.message;
    if (error instanceof Malformed) return INVALID_UTF8;
    if (error instanceof RangeError) return RECURSION;
    throw error;
  }
}

class WireRejection extends Error {}

function fail(message = INVALID_FORMAT): never {
  throw new WireRejection(message);
}

class Checker {
  readonly #catalogue: Catalogue;
  readonly #bytes: Uint8Array;
  #pos = 0;

  constructor(catalogue: Catalogue, bytes: Uint8Array) {
    this.#catalogue = catalogue;
    this.#bytes = bytes;
  }

  /** Checks a message up to `end`. */
  message(type: CatalogueMessage | undefined, end: number, depth: number): void {
    if (depth <= 0) fail(RECURSION);
    while (this.#pos < end) {
      const { number, wireType } = this.#tag(end);
      if (wireType === WireType.endGroup) fail();
      const field = type?.byNumber.get(number);
      if (field === undefined || !accepts(field, wireType)) this.#skip(number, wireType, end, depth);
      else this.#value(field, wireType, end, depth);
    }
  }

  #value(field: CatalogueField, wireType: number, end: number, depth: number): void {
    if (wireType !== WireType.bytes) {
      this.#skip(field.number, wireType, end, depth);
      return;
    }
    const stop = this.#length(end);
    if (field.mapKey !== undefined) this.message(this.#entryType(field), stop, depth - 1);
    else this.#delimited(field.type, stop, depth);
    this.#pos = stop;
  }

  #delimited(type: CatalogueType, stop: number, depth: number): void {
    if (type.kind === 'message') this.message(this.#catalogue.message(type.name), stop, depth - 1);
    else if (type.kind === 'scalar' && type.scalar === 'string') checkUtf8(this.#bytes, this.#pos, stop);
    else if (type.kind === 'scalar' && type.scalar === 'bytes') return;
    else this.#packed(wireTypeOf(type), stop);
  }

  #packed(wireType: number, stop: number): void {
    const size = wireType === WireType.fixed32 ? 4 : 8;
    if (wireType === WireType.varint) while (this.#pos < stop) this.#varint(stop);
    else if ((stop - this.#pos) % size !== 0) fail();
  }

  #entryType({ mapKey, type }: CatalogueField): CatalogueMessage {
    const member = (number: number, inEntry: CatalogueType): [number, CatalogueField] => [
      number,
      { number, name: '', jsonName: '', type: inEntry, repeated: false, mapKey: undefined, oneof: 0, sensitive: false },
    ];
    const keyType: CatalogueType = { kind: 'scalar', scalar: mapKey as NonNullable<typeof mapKey> };
    return { name: 'entry', byNumber: new Map([member(1, keyType), member(2, type)]), byName: new Map() };
  }

  #skip(number: number, wireType: number, end: number, depth: number): void {
    switch (wireType) {
      case WireType.varint:
        this.#varint(end);
        return;
      case WireType.fixed64:
        this.#advance(8, end);
        return;
      case WireType.bytes:
        this.#pos = this.#length(end);
        return;
      case WireType.startGroup:
        this.#group(number, end, depth - 1);
        return;
      case WireType.fixed32:
        this.#advance(4, end);
        return;
      default:
        fail();
    }
  }

  #group(number: number, end: number, depth: number): void {
    if (depth <= 0) fail();
    while (this.#pos < end) {
      const inner = this.#tag(end);
      if (inner.wireType === WireType.endGroup) {
        if (inner.number !== number) fail();
        return;
      }
      this.#skip(inner.number, inner.wireType, end, depth);
    }
    fail();
  }

  #tag(end: number): { number: number; wireType: number } {
    const tag = this.#varint(end);
    const number = Math.floor(tag / 8);
    if (number < 1 || number > MAX_FIELD) fail();
    return { number, wireType: tag % 8 };
  }

  #length(end: number): number {
    const length = this.#varint(end);
    if (length > end - this.#pos) fail();
    return this.#pos + length;
  }

  #advance(size: number, end: number): void {
    this.#pos += size;
    if (this.#pos > end) fail();
  }

  /** Reads a varint of at most 64 bits. Large ones are inexact, but larger than every length and tag. */
  #varint(end: number): number {
    let value = 0;
    for (let i = 0; i < 10; i++) {
      if (this.#pos >= end) fail();
      const byte = this.#bytes[this.#pos++] as number;
      if (i === 9 && byte > 1) fail();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    return fail();
  }
}

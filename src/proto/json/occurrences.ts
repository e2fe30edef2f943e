import { joinBytes } from '../../base/bytes.js';
import { getOrAdd } from '../../base/get-or-add.js';
import { type Reader, WireType } from '../wire/reader.js';
import type { Catalogue, CatalogueField, CatalogueMessage } from './catalogue.js';
import { accepts, printLeaf, wireTypeOf } from './leaf.js';
import { printUnknown } from './unknown-fields.js';
import type { Json } from './well-known.js';

/** The values of one field on the wire. */
export interface Occurrences {
  field: CatalogueField;
  /** Scalars and enums, in wire order. */
  leaves: Json[];
  /** Messages and map entries, in wire order. Those of a singular message must be merged. */
  slices: Uint8Array[];
  /** The values beyond the limit. */
  omitted: Omitted;
}

/** The number and size of values that are not printed. */
export interface Omitted {
  count: number;
  bytes: number;
}

/** More unknown fields than any newer version of the API has. */
const MAX_UNKNOWN = 1000;

/**
 * Groups the bytes of a message by field. As in upb, the last member of a oneof wins. Keeps at most `limit` values of a
 * field.
 */
export function readOccurrences(
  catalogue: Catalogue,
  type: CatalogueMessage,
  reader: Reader,
  limit = Number.POSITIVE_INFINITY,
): { found: Map<number, Occurrences>; unknown: Json[]; omittedUnknown: Omitted } {
  const found = new Map<number, Occurrences>();
  const unknown: Json[] = [];
  const omittedUnknown = { count: 0, bytes: 0 };
  while (reader.pos < reader.end) {
    const { pos } = reader;
    const tag = reader.tag();
    const field = type.byNumber.get(tag >>> 3);
    if (field !== undefined && accepts(field, tag & 7)) {
      readOccurrence(catalogue, reader, tag, occurrencesOf(found, field), limit);
    } else if (unknown.length < MAX_UNKNOWN && sizeOf(reader, tag) <= MAX_UNKNOWN_BYTES) {
      unknown.push(printUnknown(reader, tag));
    } else omit(reader, tag, pos, omittedUnknown);
  }
  return { found, unknown, omittedUnknown };
}

/** A longer value is not printed: nobody reads megabytes of base64. */
const MAX_UNKNOWN_BYTES = 1024 * 1024;

/** The size of the value that follows. */
function sizeOf(reader: Reader, tag: number): number {
  const { pos } = reader;
  reader.skip(tag);
  const size = reader.pos - pos;
  reader.pos = pos;
  return size;
}

function omit(reader: Reader, tag: number, from: number, omitted: Omitted): void {
  reader.skip(tag);
  omitted.count++;
  omitted.bytes += reader.pos - from;
}

function occurrencesOf(found: Map<number, Occurrences>, field: CatalogueField): Occurrences {
  if (field.oneof !== undefined) {
    for (const [number, other] of found)
      if (number !== field.number && other.field.oneof === field.oneof) found.delete(number);
  }
  return getOrAdd(found, field.number, () => ({ field, leaves: [], slices: [], omitted: { count: 0, bytes: 0 } }));
}

function readOccurrence(
  catalogue: Catalogue,
  reader: Reader,
  tag: number,
  { field, leaves, slices, omitted }: Occurrences,
  limit: number,
): void {
  const { pos } = reader;
  const isMany = field.repeated || field.mapKey !== undefined || field.type.kind === 'message';
  // Only the last value of a singular scalar counts.
  if (!isMany) leaves[0] = printLeaf(catalogue, reader, field.type);
  else if ((tag & 7) === WireType.bytes && wireTypeOf(field.type) !== WireType.bytes && field.mapKey === undefined) {
    reader.packed(() => {
      const value = printLeaf(catalogue, reader, field.type);
      if (leaves.length < limit) leaves.push(value);
      else omitted.count++;
    });
    if (omitted.count > 0) omitted.bytes += reader.pos - pos;
  } else if (leaves.length + slices.length >= limit) omit(reader, tag, pos, omitted);
  else if (field.mapKey !== undefined || field.type.kind === 'message') slices.push(reader.blob());
  else leaves.push(printLeaf(catalogue, reader, field.type));
}

/** Merges the occurrences of a singular message. Protobuf defines merging as concatenation. */
export function mergeSlices(slices: readonly Uint8Array[]): Uint8Array {
  const [first] = slices;
  return first !== undefined && slices.length === 1 ? first : joinBytes(slices);
}

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
}

/** Groups the bytes of a message by field. As in upb, the last member of a oneof wins. */
export function readOccurrences(
  catalogue: Catalogue,
  type: CatalogueMessage,
  reader: Reader,
): { found: Map<number, Occurrences>; unknown: Json[] } {
  const found = new Map<number, Occurrences>();
  const unknown: Json[] = [];
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    const field = type.byNumber.get(tag >>> 3);
    if (field === undefined || !accepts(field, tag & 7)) unknown.push(printUnknown(reader, tag));
    else readOccurrence(catalogue, reader, tag & 7, occurrencesOf(found, field));
  }
  return { found, unknown };
}

function occurrencesOf(found: Map<number, Occurrences>, field: CatalogueField): Occurrences {
  if (field.oneof !== undefined) {
    for (const [number, other] of found)
      if (number !== field.number && other.field.oneof === field.oneof) found.delete(number);
  }
  return getOrAdd(found, field.number, () => ({ field, leaves: [], slices: [] }));
}

function readOccurrence(catalogue: Catalogue, reader: Reader, wireType: number, occurrences: Occurrences): void {
  const { field, leaves } = occurrences;
  if (field.mapKey !== undefined || field.type.kind === 'message') occurrences.slices.push(reader.blob());
  else if (wireType === WireType.bytes && wireTypeOf(field.type) !== WireType.bytes) {
    reader.packed(() => leaves.push(printLeaf(catalogue, reader, field.type)));
  } else leaves.push(printLeaf(catalogue, reader, field.type));
}

/** Merges the occurrences of a singular message. Protobuf defines merging as concatenation. */
export function mergeSlices(slices: readonly Uint8Array[]): Uint8Array {
  const [first] = slices;
  return first !== undefined && slices.length === 1 ? first : joinBytes(slices);
}

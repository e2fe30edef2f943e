import { joinBytes } from '../../base/bytes.js';
import { getOrAdd } from '../../base/get-or-add.js';
import { type Reader, WireType } from '../wire/reader.js';
import type { Catalogue, CatalogueField, CatalogueMessage } from './catalogue.js';
import { accepts, printLeaf, wireTypeOf } from './leaf.js';
import { printUnknown } from './unknown-fields.js';
import type { Json } from './well-known.js';

/** What one field got on the wire. */
export interface Occurrences {
  field: CatalogueField;
  /** Scalars and enums, in order. */
  leaves: Json[];
  /** Messages and map entries, in order; those of a singular message are to be merged. */
  slices: Uint8Array[];
}

/** Sorts the bytes of a message by field, as upb would keep them: the last member of a oneof wins. */
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
    else readOne(catalogue, reader, tag & 7, occurrencesOf(found, field));
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

function readOne(catalogue: Catalogue, reader: Reader, wireType: number, at: Occurrences): void {
  const { field, leaves } = at;
  if (field.mapKey !== undefined || field.type.kind === 'message') at.slices.push(reader.blob());
  else if (wireType === WireType.bytes && wireTypeOf(field.type) !== WireType.bytes) {
    reader.packed(() => leaves.push(printLeaf(catalogue, reader, field.type)));
  } else leaves.push(printLeaf(catalogue, reader, field.type));
}

/** Joining the occurrences of a singular message merges them: that is how protobuf defines it. */
export function joined(slices: readonly Uint8Array[]): Uint8Array {
  const [first] = slices;
  return first !== undefined && slices.length === 1 ? first : joinBytes(slices);
}

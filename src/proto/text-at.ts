import type { Catalogue, CatalogueMessage } from './json/catalogue.js';
import { typeNameOf } from './json/type-name.js';
import { Reader, WireType } from './wire/reader.js';

const ANY = 'google.protobuf.Any';

/** The text at a path of field names in an encoded message, also through an Any; undefined if there is none. */
export function textAt(
  catalogue: Catalogue,
  type: CatalogueMessage,
  bytes: Uint8Array,
  path: readonly string[],
): string | undefined {
  if (type.name === ANY) return textInAny(catalogue, bytes, path);
  const [step = '', ...rest] = path;
  const field = type.byName.get(step);
  const found = field && lastValue(bytes, field.number);
  if (found === undefined || field === undefined) return undefined;
  if (rest.length === 0) return new TextDecoder().decode(found);
  const inner = field.type.kind === 'message' ? catalogue.message(field.type.name) : undefined;
  return inner && textAt(catalogue, inner, found, rest);
}

function textInAny(catalogue: Catalogue, bytes: Uint8Array, path: readonly string[]): string | undefined {
  const [url, value] = [lastValue(bytes, 1), lastValue(bytes, 2)];
  const type = url && catalogue.message(typeNameOf(new TextDecoder().decode(url)));
  return type && value && textAt(catalogue, type, value, path);
}

/** The last string, bytes or message with a field number: the last one wins. */
function lastValue(bytes: Uint8Array, number: number): Uint8Array | undefined {
  const reader = new Reader(bytes);
  let found: Uint8Array | undefined;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag !== ((number << 3) | WireType.bytes)) reader.skip(tag);
    else {
      const stop = reader.delimited();
      found = bytes.subarray(reader.pos, stop);
      reader.pos = stop;
    }
  }
  return found;
}

import { Malformed } from './wire/malformed.js';
import { Reader, WireType } from './wire/reader.js';

const NAME_TAG = (1 << 3) | WireType.bytes;

/**
 * Returns the name of a resource: field 1, a string, in every xDS resource type; '' if there is none. If the bytes are
 * malformed, reads up to the error, because the name is useful even for an invalid resource.
 */
export function resourceName(bytes: Uint8Array): string {
  const reader = new Reader(bytes);
  let name = '';
  try {
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      if (tag === NAME_TAG) name = reader.string();
      else reader.skip(tag);
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
  }
  return name;
}

import { Malformed } from './wire/malformed.js';
import { Reader, WireType } from './wire/reader.js';

const NAME_TAG = (1 << 3) | WireType.bytes;

/**
 * The name inside a resource: in every xDS resource type it is the string in field 1. '' if there is none. Of
 * broken bytes what stands before the break counts: naming a resource is not judging it.
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

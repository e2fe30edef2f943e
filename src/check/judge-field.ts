import type { CacheEntry } from '../core/resource-cache.js';
import { xdsCatalogue } from '../proto/json/catalogue.js';
import { printAny } from '../proto/json/print.js';
import type { Json } from '../proto/json/well-known.js';
import type { What } from './expectations.js';
import { fieldValue } from './field-value.js';
import { statusText } from './judge-resource.js';
import { fits, foundText, matchText } from './match.js';
import { entryOf, type Observation, type Verdict } from './observation.js';

/** A field of the resource in use, as `config -o yaml` prints it. */
export function judgeField(
  { resource, path, match }: Extract<What, { kind: 'field' }>,
  observation: Observation,
): Verdict {
  const expected = matchText(match);
  const entry = entryOf(observation, resource);
  if (typeof entry === 'string') return { ok: false, expected, actual: entry };
  if (entry.bytes === undefined || entry.resource === undefined)
    return { ok: false, expected, actual: `no version is in use: ${statusText(entry)}` };
  const found = fieldValue(contentOf(entry.bytes, entry), entry.typeUrl, path);
  if (found.found) return { ok: fits(match, found.value), expected, actual: foundText(match, found.value) };
  return { ok: fits(match, undefined), expected, actual: found.why };
}

/** A file may ask for many fields of one large resource. */
const contents = new WeakMap<Uint8Array, Json>();

function contentOf(bytes: Uint8Array, { typeUrl }: CacheEntry): Json {
  const known = contents.get(bytes);
  if (known !== undefined) return known;
  const content = printAny(xdsCatalogue, typeUrl, bytes);
  contents.set(bytes, content);
  return content;
}

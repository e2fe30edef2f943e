import type { CacheEntry } from '../../core/resource-cache.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { printAny } from '../../proto/json/print.js';
import type { Json } from '../../proto/json/well-known.js';
import type { What } from './expectations.js';
import { fieldValue } from './field-value.js';
import { fits, foundText, matchText } from './match.js';
import { type Evaluation, entryOf, type Observation } from './observation.js';
import type { Wording } from './wording.js';

/** A field of the resource in use. It is compared as it is, and shown without secrets. */
export function evaluateField(
  { resource, path, match }: Extract<What, { kind: 'field' }>,
  observation: Observation,
  wording: Wording,
): Evaluation {
  const expected = matchText(match);
  const entry = entryOf(observation, resource);
  if (entry === undefined) return wording.absent(resource, expected, observation);
  if (entry.bytes === undefined || entry.resource === undefined)
    return { ok: false, expected, actual: wording.nothingInUse(entry) };
  const { whole, shown } = contentOf(entry.bytes, entry);
  const found = fieldValue(whole, entry.typeUrl, path);
  const visible = fieldValue(shown, entry.typeUrl, path);
  const ok = fits(match, found.found ? found.value : undefined);
  return { ok, expected, actual: visible.found ? foundText(match, visible.value) : visible.why };
}

interface Content {
  whole: Json;
  /** Without secrets. */
  shown: Json;
}

/** A file may ask for many fields of one large resource. */
const contents = new WeakMap<Uint8Array, Content>();

function contentOf(bytes: Uint8Array, { typeUrl }: CacheEntry): Content {
  const known = contents.get(bytes);
  if (known !== undefined) return known;
  const print = (showSecrets: boolean): Json => printAny(xdsCatalogue, typeUrl, bytes, { showSecrets });
  const content = { whole: print(true), shown: print(false) };
  contents.set(bytes, content);
  return content;
}

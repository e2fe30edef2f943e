import { API_TYPES } from '../../proto/api-types.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { TYPE_URLS } from '../../proto/resource-types.js';

/** Fields that several resource types have, so they do not identify a type. */
export const COMMON_FIELDS: ReadonlySet<string> = new Set(['name', 'metadata', 'policy', 'address']);

/** Resource types that gRPC does not know. */
export const OTHER_TYPES: readonly string[] = ['SDS', 'ECDS', 'SRDS', 'RTDS'].map(
  (short) => API_TYPES[short] as string,
);

/**
 * Guesses the type of a resource without "@type": the type that has more of its fields than any other, including at
 * least one that identifies it. Types that gRPC does not know are considered only if no other type fits.
 */
export function guessType(resource: Record<string, unknown>): string | undefined {
  return bestOf(TYPE_URLS, resource) ?? bestOf(OTHER_TYPES, resource);
}

function bestOf(typeUrls: readonly string[], resource: Record<string, unknown>): string | undefined {
  const keys = Object.keys(resource);
  const scores = typeUrls.map((typeUrl) => {
    const fields = xdsCatalogue.message(typeNameOf(typeUrl))?.byName;
    const known = keys.filter((key) => fields?.has(key));
    return { typeUrl, known: known.length, own: known.filter((key) => !COMMON_FIELDS.has(key)).length };
  });
  const best = Math.max(...scores.map(({ known }) => known));
  const candidates = scores.filter(({ known, own }) => known === best && own > 0);
  return candidates.length === 1 ? candidates[0]?.typeUrl : undefined;
}

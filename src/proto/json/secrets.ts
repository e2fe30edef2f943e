import { isSecretName, REDACTED } from '../../base/secret-name.js';
import type { Catalogue, CatalogueMessage, CatalogueType } from './catalogue.js';
import type { Json } from './well-known.js';

/** Where a secret is read from is not the secret: a person who looks for a wrong file needs to see which it is. */
export const PLACES: Record<string, ReadonlySet<string>> = {
  'envoy.config.core.v3.DataSource': new Set(['filename', 'environmentVariable', 'watchedDirectory']),
};

/** What a secret field holds, without the secret: its shape and its types stay, all values go. */
export function redacted(json: Json, type: CatalogueType): Json {
  const places = type.kind === 'message' ? PLACES[type.name] : undefined;
  if (Array.isArray(json)) return json.map((one) => redacted(one, type));
  if (places === undefined || json === null || typeof json !== 'object') return withoutValues(json);
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, places.has(key) ? value : withoutValues(value)]),
  );
}

function withoutValues(json: Json): Json {
  if (Array.isArray(json)) return json.map(withoutValues);
  if (json === null || typeof json !== 'object') return REDACTED;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      if (key === '@type' || key === '@error') return [key, value];
      if (key === '@unknown' && Array.isArray(value)) return [key, redactedUnknown(value)];
      return [key, withoutValues(value)];
    }),
  );
}

/** Fields that no description knows: their numbers stay. */
export function redactedUnknown(unknown: readonly Json[]): Json[] {
  return unknown.map((entry) => ({
    ...(withoutValues(entry) as Record<string, Json>),
    field: (entry as Record<string, Json>).field as Json,
  }));
}

export const HEADER_VALUE = 'envoy.config.core.v3.HeaderValue';

/** A header that says who is calling carries a token. */
export function redactedHeader(header: { [key: string]: Json }): Json {
  if (typeof header.key !== 'string' || !isSecretName(header.key)) return header;
  return { ...(withoutValues(header) as { [key: string]: Json }), key: header.key };
}

export function hasSecretField({ byNumber }: CatalogueMessage): boolean {
  return [...byNumber.values()].some(({ sensitive }) => sensitive);
}

/**
 * Whether a message of this type is one for secrets: it has such a field, or leads to one in its own package. Others
 * lead to them as well, by way of credentials for some server far below; their bytes are shown when they are broken.
 */
export function holdsSecrets(catalogue: Catalogue, type: CatalogueMessage): boolean {
  const home = packageOf(type.name);
  const seen = new Set<string>();
  const open = [type];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (hasSecretField(next)) return true;
    for (const field of next.byNumber.values()) {
      const { kind, name } = field.type.kind === 'message' ? field.type : { kind: '', name: '' };
      if (kind === '' || seen.has(name) || packageOf(name) !== home) continue;
      seen.add(name);
      const inner = catalogue.message(name);
      if (inner !== undefined) open.push(inner);
    }
  }
  return false;
}

/** Packages are written small, messages are not. */
function packageOf(name: string): string {
  return /^(?:[a-z0-9_]+\.)*/.exec(name)?.[0] ?? '';
}

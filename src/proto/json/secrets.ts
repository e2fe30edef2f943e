import { isSecretName, REDACTED } from '../../base/secret-name.js';
import { lowerCamel } from '../lower-camel.js';
import { NAMED_VALUES } from '../secret-places.js';
import type { Catalogue, CatalogueMessage, CatalogueType } from './catalogue.js';
import type { Json } from './well-known.js';

/**
 * Fields that contain the location of a secret. They are not redacted, because users need them to find a wrong file.
 */
export const SECRET_LOCATIONS: Record<string, ReadonlySet<string>> = {
  'envoy.config.core.v3.DataSource': new Set(['filename', 'environmentVariable', 'watchedDirectory']),
};

/** Redacts a secret field: replaces all values and keeps the structure and the types. */
export function redacted(json: Json, type: CatalogueType): Json {
  const locations = type.kind === 'message' ? SECRET_LOCATIONS[type.name] : undefined;
  if (Array.isArray(json)) return json.map((one) => redacted(one, type));
  if (locations === undefined || json === null || typeof json !== 'object') return withoutValues(json);
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, locations.has(key) ? value : withoutValues(value)]),
  );
}

/** Redacts all values and keeps the structure. */
export function withoutValues(json: Json): Json {
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

/** Redacts unknown fields and keeps their numbers. */
export function redactedUnknown(unknown: readonly Json[]): Json[] {
  return unknown.map((entry) => ({
    ...(withoutValues(entry) as Record<string, Json>),
    field: (entry as Record<string, Json>).field as Json,
  }));
}

/** Redacts the values of a message that names them, such as a header with credentials. */
export function redactedByName(type: string, message: { [key: string]: Json }): { [key: string]: Json } {
  const named = NAMED_VALUES[type];
  if (named === undefined || !isSecretName(nameIn(message, named.name))) return message;
  const values = new Set([...named.values, ...named.values.map(lowerCamel)]);
  return Object.fromEntries(
    Object.entries(message).map(([key, value]) => {
      if (key === '@unknown' && Array.isArray(value)) return [key, redactedUnknown(value)];
      return [key, values.has(key) ? withoutTexts(value) : value];
    }),
  );
}

function nameIn(message: Json, path: readonly string[]): string {
  const found = path.reduce<Json | undefined>(
    (at, step) =>
      typeof at === 'object' && at !== null && !Array.isArray(at) ? (at[lowerCamel(step)] ?? at[step]) : undefined,
    message,
  );
  return typeof found === 'string' ? found : '';
}

/** Redacts texts and keeps flags, such as `ignoreCase` of a matcher, and types. */
function withoutTexts(json: Json): Json {
  if (typeof json === 'string') return REDACTED;
  if (Array.isArray(json)) return json.map(withoutTexts);
  if (json === null || typeof json !== 'object') return json;
  const isType = (key: string): boolean => key === '@type' || key === '@error';
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, isType(key) ? value : withoutTexts(value)]),
  );
}

/** Redacts an entry of a map or a Struct if its key names a secret. */
export function redactedEntry([key, value]: [string, Json]): [string, Json] {
  return isSecretName(key) ? [key, withoutValues(value)] : [key, value];
}

export function hasSecretField({ byNumber }: CatalogueMessage): boolean {
  return [...byNumber.values()].some(({ sensitive }) => sensitive);
}

/**
 * Whether a message type is meant for secrets: it has a secret field, or contains a message of its own package that
 * does. Other messages may contain secrets too, in the credentials of a nested service. Their bytes are printed if they
 * cannot be decoded.
 */
export function mayContainSecrets(catalogue: Catalogue, type: CatalogueMessage): boolean {
  const ownPackage = packageOf(type.name);
  const seen = new Set<string>();
  const pending = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (hasSecretField(next)) return true;
    for (const field of next.byNumber.values()) {
      const { kind, name } = field.type.kind === 'message' ? field.type : { kind: '', name: '' };
      if (kind === '' || seen.has(name) || packageOf(name) !== ownPackage) continue;
      seen.add(name);
      const inner = catalogue.message(name);
      if (inner !== undefined) pending.push(inner);
    }
  }
  return false;
}

/** Package names are lower case, message names are not. */
function packageOf(name: string): string {
  return /^(?:[a-z0-9_]+\.)*/.exec(name)?.[0] ?? '';
}

import { authorityOf, formatUri, fromBytes, parseUri, toBytes } from './uri.js';

/** A resource's name: old style as it is, or the parts of an xdstp name (A47). */
export type XdsName =
  | { kind: 'old'; name: string }
  | { kind: 'xdstp'; authority: string; type: string; id: string; params: [key: string, value: string][] };

/** Names that are no xdstp names have no authority; gRPC keeps them under this key. */
export const OLD_STYLE = '#old';

/** The key of a name's authority. */
export function authorityKey(name: XdsName): string {
  return name.kind === 'old' ? OLD_STYLE : authorityName(name);
}

/** Reads a name of a resource of the given type; `undefined` if it is an xdstp name that cannot be one (R6.1 to R6.4). */
export function parseXdsName(name: string, type: string, federation: boolean): XdsName | undefined {
  if (!federation || !name.startsWith('xdstp:')) return { kind: 'old', name };
  const uri = parseUri(toBytes(name));
  if (uri === undefined) return undefined;
  const path = uri.path.replace(/^\//, '');
  const slash = path.indexOf('/');
  if ((slash < 0 ? path : path.slice(0, slash)) !== type) return undefined;
  // The last of several parameters with one key wins; they are compared and printed in the order of their keys.
  const params = [...new Map(uri.query)].sort(([a], [b]) => (a < b ? -1 : 1));
  return { kind: 'xdstp', authority: authorityOf(uri), type, id: slash < 0 ? '' : path.slice(slash + 1), params };
}

/** The name as it goes over the wire (R6.5). An empty authority is written `xdstp:///` (D7) or, as C-core does, `xdstp:/`. */
export function formatXdsName(name: XdsName, emptyAuthority: 'xdstp:///' | 'xdstp:/'): string {
  if (name.kind === 'old') return name.name;
  const { authority, type, id, params } = name;
  const path = `/${type}/${id}`;
  const text = formatUri({ scheme: 'xdstp', userInfo: '', hostPort: authority, path, query: params, fragment: '' });
  return fromBytes(emptyAuthority === 'xdstp:///' ? text.replace(/^xdstp:\/(?!\/)/, 'xdstp:///') : text);
}

/** A name in the one spelling that all its spellings have in common; undefined if it cannot be read. */
export function canonicalName(
  name: string,
  type: string,
  federation: boolean,
  emptyAuthority: 'xdstp:///' | 'xdstp:/',
): string | undefined {
  if (!federation || !name.startsWith('xdstp:')) return name;
  const parsed = parseXdsName(name, type, federation);
  return parsed && formatXdsName(parsed, emptyAuthority);
}

/** The authority of a name, as bootstrap files spell it. */
export function authorityName(name: XdsName): string {
  return name.kind === 'old' ? '' : fromBytes(name.authority);
}

import { authorityOf, formatUri, fromBytes, parseUri, toBytes } from './uri.js';

/** A resource name: an old-style name unchanged, or the parts of an xdstp name (A47). */
export type XdsName =
  | { kind: 'old'; name: string }
  | {
      kind: 'xdstp';
      authority: string;
      type: string;
      id: string;
      params: Parameters;
      /** Every parameter, in the order of the name. */
      query: Parameters;
    };

type Parameters = [key: string, value: string][];

/**
 * The spelling of a name in requests: canonical, with an empty authority as `xdstp:///` (D7) or, like C-core, as
 * `xdstp:/`; or decoded, as grpc-js-xds prints names.
 */
export type NameSpelling = 'xdstp:///' | 'xdstp:/' | 'decoded';

/** The key that gRPC uses instead of an authority for names that are not xdstp names. */
export const OLD_STYLE = '#old';

/** Returns the key of a name's authority. */
export function authorityKey(name: XdsName): string {
  return name.kind === 'old' ? OLD_STYLE : authorityName(name);
}

/** Parses a resource name of the given type; `undefined` for an invalid xdstp name (R6.1 to R6.4). */
export function parseXdsName(name: string, type: string, federation: boolean): XdsName | undefined {
  if (!federation || !name.startsWith('xdstp:')) return { kind: 'old', name };
  const uri = parseUri(toBytes(name));
  if (uri === undefined) return undefined;
  const path = uri.path.replace(/^\//, '');
  const slash = path.indexOf('/');
  if ((slash < 0 ? path : path.slice(0, slash)) !== type) return undefined;
  // The last parameter with a key wins. Parameters are compared and printed in the order of their keys.
  const params = [...new Map(uri.query)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    kind: 'xdstp',
    authority: authorityOf(uri),
    type,
    id: slash < 0 ? '' : path.slice(slash + 1),
    params,
    query: uri.query,
  };
}

/** Formats a name for the wire (R6.5). */
export function formatXdsName(name: XdsName, spelling: NameSpelling): string {
  if (name.kind === 'old') return name.name;
  if (spelling === 'decoded') return decodedName(name);
  const { authority, type, id, params } = name;
  const path = `/${type}/${id}`;
  const text = formatUri({ scheme: 'xdstp', userInfo: '', hostPort: authority, path, query: params, fragment: '' });
  return fromBytes(spelling === 'xdstp:///' ? text.replace(/^xdstp:\/(?!\/)/, 'xdstp:///') : text);
}

/** Parameters are split again after decoding, and sorted as text. */
function decodedName({ authority, type, id, query }: XdsName & { kind: 'xdstp' }): string {
  const joined = query.map(([key, value]) => `${key}=${value}`).join('&');
  const sorted = joined === '' ? '' : `?${joined.split('&').sort().join('&')}`;
  return fromBytes(`xdstp://${authority}/${type}/${id}${sorted}`);
}

/** Normalizes the spelling of a name; undefined if the name is invalid. */
export function canonicalName(
  name: string,
  type: string,
  federation: boolean,
  spelling: NameSpelling,
): string | undefined {
  if (!federation || !name.startsWith('xdstp:')) return name;
  const parsed = parseXdsName(name, type, federation);
  return parsed && formatXdsName(parsed, spelling);
}

/** Returns the authority of a name in the spelling of bootstrap files. */
export function authorityName(name: XdsName): string {
  return name.kind === 'old' ? '' : fromBytes(name.authority);
}

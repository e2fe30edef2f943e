/**
 * A URI as C-core parses and formats it. Each character of a component is one byte, because percent-encoding can produce
 * any byte; `toBytes` and `fromBytes` convert between bytes and text.
 */
export interface Uri {
  /** In lower case. */
  scheme: string;
  userInfo: string;
  hostPort: string;
  path: string;
  query: [key: string, value: string][];
  fragment: string;
}

const UNRESERVED = 'A-Za-z0-9\\-._~';
const SUB_DELIMS = "!$&'()*+,;=";
const NOT = (allowed: string): RegExp => new RegExp(`[^${allowed}]`, 'g');

const NOT_USER_INFO = NOT(`${UNRESERVED}${SUB_DELIMS}:`);
const NOT_HOST = NOT(`${UNRESERVED}${SUB_DELIMS}:\\[\\]`);
const NOT_AUTHORITY = NOT(`${UNRESERVED}${SUB_DELIMS}:\\[\\]@`);
const NOT_PATH = NOT(`${UNRESERVED}${SUB_DELIMS}:@/`);
const NOT_QUERY = NOT(`${UNRESERVED}${SUB_DELIMS}:@/?`);
const NOT_QUERY_PART = NOT(`${UNRESERVED}!$'()*+,;:@/?`);
const QUERY = new RegExp(`^[${UNRESERVED}${SUB_DELIMS}:@/?%]*$`);

/** Encodes a text in UTF-8, one byte per character. */
export function toBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** Decodes UTF-8 bytes; invalid bytes are replaced. */
export function fromBytes(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
}

/** Parses a URI in bytes; `undefined` if C-core rejects it (R6.2). */
export function parseUri(bytes: string): Uri | undefined {
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#[\s\S]*)?$/.exec(bytes);
  if (parts === null) return undefined;
  const [, scheme = '', authority = '', path = '', query, fragment] = parts;
  if (query === '?' || (query !== undefined && !QUERY.test(query.slice(1)))) return undefined;
  if (fragment !== undefined && !QUERY.test(fragment.slice(1))) return undefined;
  const at = authority.lastIndexOf('@');
  return {
    scheme: scheme.toLowerCase(),
    userInfo: percentDecode(authority.slice(0, Math.max(0, at))),
    hostPort: percentDecode(authority.slice(at + 1)),
    path: percentDecode(path),
    query: query === undefined ? [] : parseQuery(query.slice(1)),
    fragment: fragment === undefined ? '' : percentDecode(fragment.slice(1)),
  };
}

function parseQuery(query: string): [string, string][] {
  return query.split('&').flatMap((pair): [string, string][] => {
    const [key = '', ...value] = pair.split('=');
    return key === '' ? [] : [[percentDecode(key), percentDecode(value.join('='))]];
  });
}

/** `user@host`, or just the host. */
export function authorityOf({ userInfo, hostPort }: Uri): string {
  return userInfo === '' ? hostPort : `${userInfo}@${hostPort}`;
}

export function formatUri(uri: Uri): string {
  const user = uri.userInfo === '' ? '' : `${encode(uri.userInfo, NOT_USER_INFO)}@`;
  // A path that begins with two slashes would otherwise read as an authority.
  const hasAuthority = uri.userInfo !== '' || uri.hostPort !== '' || uri.path.startsWith('//');
  const authority = hasAuthority ? `//${user}${encode(uri.hostPort, NOT_HOST)}` : '';
  const query = uri.query.map(([key, value]) => `${encode(key, NOT_QUERY_PART)}=${encode(value, NOT_QUERY_PART)}`);
  const fragment = uri.fragment === '' ? '' : `#${encode(uri.fragment, NOT_QUERY)}`;
  return `${uri.scheme}:${authority}${encodePath(uri.path)}${query.length === 0 ? '' : `?${query.join('&')}`}${fragment}`;
}

export function encodePath(bytes: string): string {
  return encode(bytes, NOT_PATH);
}

export function encodeAuthority(bytes: string): string {
  return encode(bytes, NOT_AUTHORITY);
}

function encode(bytes: string, notAllowed: RegExp): string {
  return bytes.replace(notAllowed, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** Decodes valid triplets and leaves all other text unchanged. */
function percentDecode(bytes: string): string {
  return bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

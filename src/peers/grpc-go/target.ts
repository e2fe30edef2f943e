import { quoted } from './go-text.js';

/** The schemes of grpc-go's resolvers in a program with xDS. */
export const SCHEMES: ReadonlySet<string> = new Set(['dns', 'passthrough', 'unix', 'unix-abstract', 'xds']);
/** The scheme that grpc-go adds to a target without one here. */
export const DEFAULT_SCHEME = 'passthrough';

/** Returns the scheme of a target that a resolver can handle as it is. */
export function targetSchemeOf(target: string): string | undefined {
  const scheme = urlScheme(target);
  return scheme !== undefined && SCHEMES.has(scheme) ? scheme : undefined;
}

/** Returns the scheme that Go's URL parser finds, '' if there is none; `undefined` if the URL is invalid. */
export function urlScheme(url: string): string | undefined {
  return parsed(url).scheme;
}

/** Returns the error of Go's URL parser. */
export function urlError(url: string): string | undefined {
  const { error } = parsed(url);
  return error && `parse ${quoted(url)}: ${error}`;
}

interface Parsed {
  scheme?: string;
  error?: string;
}

function parsed(url: string): Parsed {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go's parser rejects them.
  if (/[\x00-\x1f\x7f]/.test(url)) return { error: 'net/url: invalid control character in URL' };
  const [withoutFragment = ''] = url.split('#');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(withoutFragment)?.[1];
  if (scheme === undefined && withoutFragment.startsWith(':')) return { error: 'missing protocol scheme' };
  const rest = withoutFragment.slice(scheme === undefined ? 0 : scheme.length + 1).replace(/\?.*$/s, '');
  if (scheme !== undefined && !rest.startsWith('/')) return { scheme: scheme.toLowerCase() };
  if (scheme === undefined && /^[^/]*:/.test(rest)) return { error: 'first path segment in URL cannot contain colon' };
  const authority = /^\/\/([^/]*)/.exec(rest)?.[1];
  const path = authority === undefined ? rest : rest.slice(authority.length + 2);
  const error = authorityError(authority) ?? escapeError(path) ?? escapeError(url.slice(withoutFragment.length));
  return error === undefined ? { scheme: scheme?.toLowerCase() ?? '' } : { error };
}

function escapeError(text: string): string | undefined {
  const [bad] = /%(?![0-9a-fA-F]{2}).{0,2}/su.exec(text) ?? [];
  return bad === undefined ? undefined : `invalid URL escape ${quoted(bad)}`;
}

function authorityError(authority: string | undefined): string | undefined {
  const host = authority?.slice(authority.lastIndexOf('@') + 1) ?? '';
  const isBracketed = host.startsWith('[');
  const port = isBracketed ? /^\[[^\]]*\](.*)$/.exec(host)?.[1] : /:[^:]*$/.exec(host)?.[0];
  if (isBracketed && port === undefined) return "missing ']' in host";
  if (!/^(:\d*)?$/.test(port ?? '')) return `invalid port ${quoted(port ?? '')} after host`;
  const [bad] = /[\s<>"\\^`{|}]/.exec(host) ?? [];
  if (bad !== undefined) return `invalid character ${quoted(bad)} in host name`;
  const [badEscape] = /%(?!25).{0,2}/.exec(host) ?? [];
  return badEscape === undefined ? undefined : `invalid URL escape ${quoted(badEscape)}`;
}

import { hasOnlyUriCharacters } from './java-uri.js';

/** Whether grpc-java can parse the name of a resource with this type URL. */
export function isReadableName(name: string, typeUrl: string): boolean {
  if (!name.startsWith('xdstp:')) return true;
  const rest = name.slice('xdstp:'.length);
  // Without a slash after the scheme, the URI has no path.
  if (!hasOnlyUriCharacters(rest) || !rest.startsWith('/')) return false;
  const path = rest.replace(/^\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
  const [type, ...id] = path.split('/').filter((segment) => segment !== '');
  return id.length > 0 && type !== undefined && decodeURIComponent(type) === typeUrl.split('/').filter(Boolean)[1];
}

/** Sorts the context parameters of an `xdstp:` name. */
export function canonicalName(name: string): string {
  const query = name.startsWith('xdstp:') ? /^[^?#]*\?([^#]*)/s.exec(name)?.[1] : undefined;
  const parameters = query?.split('&').filter((one) => one !== '') ?? [];
  return parameters.length < 2 ? name : name.replace(query as string, parameters.sort().join('&'));
}

/** Returns the spelling under which grpc-go knows a resource: it sorts the parameters of names that are URLs. */
export function canonicalName(name: string): string {
  const [whole, scheme, authority, path = '', query, fragment] =
    /^([a-zA-Z][a-zA-Z0-9+.-]*):\/\/([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?(?:#(.*))?$/s.exec(name) ?? [];
  if (whole === undefined || scheme === undefined || path.split('/').length < 3) return name;
  const pairs = new Map<string, string>();
  for (const pair of (query ?? '').split('&')) {
    const [key = '', value = ''] = pair.split(/=(.*)/s);
    if (pair !== '' && !pairs.has(key)) pairs.set(key, value);
  }
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `${key}=${value}`);
  const text = `${scheme.toLowerCase()}://${authority}${path}`;
  return `${text}${sorted.length === 0 ? '' : `?${sorted.join('&')}`}${fragment === undefined || fragment === '' ? '' : `#${fragment}`}`;
}

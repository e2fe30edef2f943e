import { ThrownError } from './thrown-error.js';

/** The parts of a URI in RFC 3986. */
const URI = /^[^:/?#]+:(?:\/\/([^/?#]*))?([^?#]*)/;

/**
 * Checks a resource name as grpc-js-xds does: a name that begins with `xdstp:` must contain the type. Throws its error if it
 * does not.
 */
export function checkResourceName(name: string, typeName: string, federation: boolean): void {
  if (!federation || !name.startsWith('xdstp:')) return;
  const [, authority = '', path = ''] = URI.exec(name) ?? [];
  if (authority === '' && path.startsWith('//')) {
    const rule = 'the path cannot begin with two slash characters ("//")';
    throw new ThrownError(`[UriError]: If a URI does not contain an authority component, then ${rule}`);
  }
  const [type] = percentDecoded(path).replace(/^\//, '').split('/');
  if (type !== typeName) throw new ThrownError('xdstp URI path must indicate valid xDS resource type.');
}

/** Keeps what cannot be decoded. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

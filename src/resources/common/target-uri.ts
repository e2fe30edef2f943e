import { authorityOf, parseUri, toBytes, type Uri } from '../../base/uri.js';
import { parseIpAddress } from './ip-address.js';

/** The longest path of a Unix socket on Linux. */
const MAX_SOCKET_PATH = 107;

type Check = (uri: Uri, interfaces: ReadonlyMap<string, number>) => boolean;

/** The URIs that each of C-core's resolvers accepts. */
const RESOLVERS: Record<string, Check | undefined> = {
  dns: (uri) => uri.path.replace(/^\//, '') !== '',
  xds: (uri) => uri.path !== '' && !uri.path.endsWith('/'),
  'google-c2p': (uri) => authorityOf(uri) === '',
  'google-c2p-experimental': (uri) => authorityOf(uri) === '',
  ipv4: (uri, interfaces) => isAddressList(uri, (path) => isAddress(path, 4, interfaces)),
  ipv6: (uri, interfaces) => isAddressList(uri, (path) => isAddress(path, 6, interfaces)),
  unix: (uri) => isAddressList(uri, (path) => path.length <= MAX_SOCKET_PATH),
  'unix-abstract': (uri) => isAddressList(uri, (path) => path.length <= MAX_SOCKET_PATH),
};

/** Whether C-core can create a channel to a target. C-core resolves a target without a known scheme with DNS. */
export function isValidTarget(target: string, interfaces: ReadonlyMap<string, number>): boolean {
  const bytes = toBytes(target);
  const uri = parseUri(bytes);
  const resolver = uri && RESOLVERS[uri.scheme];
  if (uri !== undefined && resolver !== undefined) return resolver(uri, interfaces);
  const fallback = parseUri(`dns:///${bytes}`);
  return fallback !== undefined && RESOLVERS.dns?.(fallback, interfaces) === true;
}

function isAddressList(uri: Uri, isOne: (path: string) => boolean): boolean {
  if (authorityOf(uri) !== '') return false;
  return uri.path
    .split(',')
    .filter((path) => path !== '')
    .every(isOne);
}

function isAddress(path: string, family: 4 | 6, interfaces: ReadonlyMap<string, number>): boolean {
  return parseIpAddress(path.replace(/^\//, ''), interfaces)?.family === family;
}

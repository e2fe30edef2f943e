import { isIp, isIpv4, isIpv6 } from '../base/ip.js';
import { authorityOf, parseUri, toBytes, type Uri } from '../base/uri.js';

/** Why no channel can connect to an address. */
interface UnusableAddress {
  /** A clause: `not-an-address is not an IPv4 address with a port`. */
  reason: string;
  /** C-core creates no channel at all: streams fail at once. Otherwise the channel never connects. */
  hasNoChannel: boolean;
}

/** The schemes that C-core knows and that this module checks. C-core looks up all other text in DNS. */
const CHECKED = new Set(['dns', 'ipv4', 'ipv6', 'unix', 'unix-abstract']);
/** Schemes that depend on the build of C-core, that only other implementations know, or of this project: `memory`, `kube`. */
const NOT_CHECKED = /^(vsock|passthrough|google-c2p|xds|memory|kube):/i;
const MAX_PORT = 65_535;

/** Returns why no channel can connect to a `server_uri`, which C-core accepts in a bootstrap; `undefined` if one can. */
export function unusableAddress(serverUri: string): UnusableAddress | undefined {
  if (NOT_CHECKED.test(serverUri)) return undefined;
  const own = parseUri(toBytes(serverUri));
  const uri = own !== undefined && CHECKED.has(own.scheme) ? own : parseUri(toBytes(`dns:///${serverUri}`));
  if (uri === undefined) return noChannel('it is not a URI');
  switch (uri.scheme) {
    case 'ipv4':
    case 'ipv6':
      return ipAddresses(uri);
    case 'unix':
    case 'unix-abstract':
      return socketPath(uri);
    default:
      return dnsName(uri);
  }
}

/** Why a flag cannot name such a socket, as a clause; undefined for all other addresses. */
export function unusableSocket(address: string): string | undefined {
  if (/^unix-abstract:/i.test(address)) return 'abstract sockets are not supported, use unix:/path';
  return /^unix:/i.test(address) ? unusableAddress(address)?.reason : undefined;
}

const noChannel = (reason: string): UnusableAddress => ({ reason, hasNoChannel: true });
const noConnection = (reason: string): UnusableAddress => ({ reason, hasNoChannel: false });

function ipAddresses(uri: Uri): UnusableAddress | undefined {
  const [isAddress, name] = uri.scheme === 'ipv4' ? [isIpv4, 'IPv4'] : [isIpv6, 'IPv6'];
  if (authorityOf(uri) !== '') return noChannel(`write ${uri.scheme}:address:port, without //`);
  const list = uri.path.replace(/^\//, '');
  if (list === '') return noConnection('the address is empty');
  for (const address of list.split(',')) {
    const { host, port } = splitPort(address);
    if (!isAddress(host) || port === undefined || !isPort(port))
      return noChannel(`${address} is not an ${name} address with a port`);
    if (Number(port) === 0) return noConnection('the port is 0');
  }
  return undefined;
}

function socketPath(uri: Uri): UnusableAddress | undefined {
  if (uri.scheme === 'unix' && authorityOf(uri) !== '')
    return noChannel('the path of a Unix socket has no host: write unix:///path');
  return uri.path === '' ? noConnection('the path of the Unix socket is empty') : undefined;
}

function dnsName(uri: Uri): UnusableAddress | undefined {
  const resolver = splitPort(authorityOf(uri));
  const name = uri.path.replace(/^\//, '');
  if (name === '') return noChannel('the host name is empty: write dns:///host:port');
  if (authorityOf(uri) !== '' && !isIp(resolver.host))
    return noConnection(`${authorityOf(uri)} is not the IP address of a DNS server: write dns:///host:port`);
  const { host, port = '' } = splitPort(name);
  if (host === '') return noConnection('the host name is empty');
  if (!isIp(host) && /[\s/%[\]]/.test(host)) return noConnection(`"${host}" is not a host name`);
  if (port === '' || port === 'http' || port === 'https') return undefined;
  if (!/^\s*[+-]?\d+\s*$/.test(port)) return noConnection(`the port "${port}" is not a number`);
  const isUsable = Number(port) > 0 && Number(port) <= MAX_PORT;
  return isUsable ? undefined : noConnection(`the port ${port} is not between 1 and ${MAX_PORT}`);
}

/** Splits as C-core does: a text with several colons is an IPv6 address without a port, unless it has brackets. */
function splitPort(text: string): { host: string; port?: string } {
  const [, bracketed, afterBracket] = /^\[([^\]]*)\](?::(.*))?$/s.exec(text) ?? [];
  if (bracketed !== undefined)
    return { host: bracketed, ...(afterBracket === undefined ? {} : { port: afterBracket }) };
  const parts = text.split(':');
  return parts.length === 2 ? { host: parts[0] as string, port: parts[1] as string } : { host: text };
}

function isPort(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= MAX_PORT;
}

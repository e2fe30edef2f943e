import { isIpv4, isIpv6 } from '../../base/ip.js';
import { ThrownError } from './thrown-error.js';

const ZONE = /%[0-9a-zA-Z\-.:]+$/;

/** An IP address as `net.isIP` of Node accepts it; IPv6 addresses may have a zone. */
export function isNodeIp(text: string): boolean {
  return isIpv4(text) || isNodeIpv6(text);
}

function isNodeIpv6(text: string): boolean {
  const address = text.replace(ZONE, '');
  return !address.includes('%') && isIpv6(address);
}

/** The range as text that is equal for equal ranges. Throws if grpc-js-xds cannot parse the address. */
export function normalizedRange(address: string, length: number): string {
  if (isIpv4(address)) return rangeText('v4', v4Number(address), 32, length);
  if (isNodeIpv6(address)) return rangeText('v6', v6Number(address), 128, length);
  throw new ThrownError(`Invalid IP address prefix ${address}`);
}

function rangeText(family: string, address: bigint, bits: number, length: number): string {
  const kept = Math.min(length, bits);
  return `${family} ${address >> BigInt(bits - kept)}/${kept}`;
}

function v4Number(address: string): bigint {
  return address.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n);
}

function v6Number(address: string): bigint {
  const [before = '', after] = address.split('::');
  const first = partsOf(before);
  const last = partsOf(after ?? '');
  const zeros = Array.from({ length: after === undefined ? 0 : 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].reduce((number, part) => number * 65_536n + hexNumber(part), 0n);
}

function partsOf(text: string): string[] {
  return text.split(':').filter((part) => part !== '');
}

/** grpc-js-xds parses neither a zone nor an IPv4 address in an IPv6 address. */
function hexNumber(part: string): bigint {
  if (!/^[0-9a-fA-F]+$/.test(part)) throw new ThrownError(`Cannot convert 0x${part} to a BigInt`);
  return BigInt(`0x${part}`);
}

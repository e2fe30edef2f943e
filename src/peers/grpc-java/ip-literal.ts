import { isIpv4, isIpv6 } from '../../base/ip.js';
import { illegalArgument } from './java-error.js';

/**
 * Parses an IP address as Guava does, and returns it in the form that Java prints. The zone of an IPv6 address is a
 * number or the name of a network interface.
 */
export function ipLiteral(text: string, interfaces: Interfaces): string {
  const zone = isIpv6(text) ? /%(.*)$/s.exec(text)?.[1] : undefined;
  if (zone !== undefined && !/^\d+$/.test(zone) && !interfaces.has(zone))
    illegalArgument(`No such interface: '${zone}'`);
  return parseIp(text) ?? illegalArgument(`'${text}' is not an IP string literal.`);
}

/** Network interfaces by name. */
type Interfaces = ReadonlyMap<string, number>;

export function parseIp(text: string): string | undefined {
  if (isIpv4(text)) return text;
  if (!isIpv6(text)) return undefined;
  const groups = groupsOf(text.replace(/%.*$/s, ''));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return groups.map((group) => group.toString(16)).join(':');
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = readGroups(head);
  const after = readGroups(tail ?? '');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<number>(zeros).fill(0), ...after];
}

function readGroups(half: string): number[] {
  if (half === '') return [];
  return half.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

import { quoted } from './go-text.js';

/** An IP address without its zone; a prefix that Go parses. */
export interface Address {
  bits: 32 | 128;
  value: bigint;
  zone: string;
}

/** Parses an IP address as Go's `netip.ParseAddr`; returns its error message for other texts. */
export function parseAddress(text: string): Address | string {
  const error = (message: string, at?: string): string =>
    `ParseAddr(${quoted(text)}): ${message}${at === undefined ? '' : ` (at ${quoted(at)})`}`;
  const first = /[.:%]/.exec(text)?.[0];
  if (first === undefined) return error('unable to parse IP');
  if (first === '%') return error('missing IPv6 address');
  if (first === ':') return parseIpv6(text, error);
  const value = ipv4Value(text, error);
  return typeof value === 'string' ? value : { bits: 32, value, zone: '' };
}

type Describe = (message: string, at?: string) => string;

/** Returns the value of an IPv4 address, or the error of its first wrong character. */
function ipv4Value(text: string, error: Describe): bigint | string {
  const octets: number[] = [];
  let digits = '';
  for (const [index, character] of [...text].entries()) {
    const rest = text.slice(index);
    if (/\d/.test(character)) {
      if (digits === '0') return error('IPv4 field has octet with leading zero');
      digits += character;
      if (Number(digits) > 255) return error('IPv4 field has value >255');
    } else if (character === '.') {
      if (digits === '' || rest === '.') return error('IPv4 field must have at least one digit', rest);
      if (octets.length === 3) return error('IPv4 address too long');
      octets.push(Number(digits));
      digits = '';
    } else return error('unexpected character', rest);
  }
  if (octets.length < 3) return error('IPv4 address too short');
  return [...octets, Number(digits)].reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function parseIpv6(text: string, error: Describe): Address | string {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return error('zone must be a non-empty string');
  let rest = percent < 0 ? text : text.slice(0, percent);
  const groups: number[] = [];
  let gap: number | undefined;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
  }
  while (rest !== '' && groups.length < 8) {
    const [hex = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    if (hex.length > 4) return error('each group must have 4 or less digits', rest);
    if (hex === '') return error('each colon-separated field must have at least one digit', rest);
    if (rest[hex.length] === '.') {
      if (gap === undefined && groups.length !== 6)
        return error('embedded IPv4 address must replace the final 2 fields of the address', rest);
      if (groups.length > 6)
        return error('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      const value = ipv4Value(rest, error);
      if (typeof value === 'string') return value;
      groups.push(Number(value >> 16n), Number(value & 0xffffn));
      rest = '';
      break;
    }
    groups.push(Number.parseInt(hex, 16));
    rest = rest.slice(hex.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return error('unexpected character, want colon', rest);
    if (rest === ':') return error('colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (gap !== undefined) return error('multiple :: in address', rest);
      gap = groups.length;
      rest = rest.slice(1);
    }
  }
  if (rest !== '') return error('trailing garbage after address', rest);
  if (groups.length < 8) {
    if (gap === undefined) return error('address string too short');
    groups.splice(gap, 0, ...Array<number>(8 - groups.length).fill(0));
  } else if (gap !== undefined) return error('the :: must expand to at least one field of zeros');
  return { bits: 128, value: groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n), zone };
}

const MAPPED = 0xffffn << 32n;

/** An IPv4 address in the form of an IPv6 address becomes an IPv4 address. */
export function unmapped(address: Address): Address {
  if (address.bits === 32 || address.value >> 32n !== MAPPED >> 32n) return address;
  return { bits: 32, value: address.value & 0xffff_ffffn, zone: '' };
}

/** Returns a text that is equal for prefixes of the same addresses. */
export function prefixKey({ bits, value }: Address, length: number): string {
  return `${bits}:${(value >> BigInt(bits - length)).toString(16)}/${length}`;
}

/** Returns the error of Go's `netip.ParsePrefix` for `address/length`; `undefined` if it is valid. */
export function prefixError(address: string, length: number): string | undefined {
  const parsed = parseAddress(address);
  const error = (message: string): string => `netip.ParsePrefix(${quoted(`${address}/${length}`)}): ${message}`;
  if (typeof parsed === 'string') return error(parsed);
  if (parsed.zone !== '') return error('IPv6 zones cannot be present in a prefix');
  return length > parsed.bits ? error('prefix length out of range') : undefined;
}

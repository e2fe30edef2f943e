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
  const [, address = '', percent, zone = ''] = /^([^%]*)(%?)(.*)$/s.exec(text) ?? [];
  if (percent !== '' && zone === '') return error('zone must be a non-empty string');
  const groups = new Ipv6Groups(address, error).read();
  if (typeof groups === 'string') return groups;
  return { bits: 128, value: groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n), zone };
}

/** Reads the eight groups of an IPv6 address; methods return the error of the first wrong character. */
class Ipv6Groups {
  #rest: string;
  readonly #error: Describe;
  readonly #groups: number[] = [];
  /** The index of the group that `::` precedes. */
  #gap: number | undefined;

  constructor(text: string, error: Describe) {
    this.#rest = text;
    this.#error = error;
  }

  read(): number[] | string {
    if (this.#rest.startsWith('::')) {
      this.#gap = 0;
      this.#rest = this.#rest.slice(2);
    }
    while (this.#rest !== '' && this.#groups.length < 8) {
      const error = this.#group();
      if (error !== undefined) return error;
    }
    return this.#complete();
  }

  #group(): string | undefined {
    const rest = this.#rest;
    const [hex = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    if (hex.length > 4) return this.#error('each group must have 4 or less digits', rest);
    if (hex === '') return this.#error('each colon-separated field must have at least one digit', rest);
    if (rest[hex.length] === '.') return this.#ipv4();
    this.#groups.push(Number.parseInt(hex, 16));
    return this.#separator(rest.slice(hex.length));
  }

  #ipv4(): string | undefined {
    const rest = this.#rest;
    if (this.#gap === undefined && this.#groups.length !== 6)
      return this.#error('embedded IPv4 address must replace the final 2 fields of the address', rest);
    if (this.#groups.length > 6)
      return this.#error('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
    const value = ipv4Value(rest, this.#error);
    if (typeof value === 'string') return value;
    this.#groups.push(Number(value >> 16n), Number(value & 0xffffn));
    this.#rest = '';
    return undefined;
  }

  /** Reads the colon after a group, and a second one. */
  #separator(rest: string): string | undefined {
    this.#rest = rest.slice(1);
    if (rest === '') return undefined;
    if (!rest.startsWith(':')) return this.#error('unexpected character, want colon', rest);
    if (rest === ':') return this.#error('colon must be followed by more characters', rest);
    if (!this.#rest.startsWith(':')) return undefined;
    if (this.#gap !== undefined) return this.#error('multiple :: in address', this.#rest);
    this.#gap = this.#groups.length;
    this.#rest = this.#rest.slice(1);
    return undefined;
  }

  #complete(): number[] | string {
    const missing = 8 - this.#groups.length;
    if (this.#rest !== '') return this.#error('trailing garbage after address', this.#rest);
    if (missing > 0 && this.#gap === undefined) return this.#error('address string too short');
    if (missing === 0 && this.#gap !== undefined)
      return this.#error('the :: must expand to at least one field of zeros');
    const gap = this.#gap ?? 0;
    return [...this.#groups.slice(0, gap), ...Array<number>(missing).fill(0), ...this.#groups.slice(gap)];
  }
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

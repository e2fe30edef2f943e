/** A socket address in binary form. An IPv4 address is a 32-bit number. `zone` is 0 if there is none. */
export type IpAddress =
  | { family: 4; v4: number; port: number }
  | { family: 6; bytes: readonly number[]; port: number; zone: number };

/**
 * Parses a host and a port as C-core does: it joins them and splits the result again. So a host in brackets can contain
 * its own port, and a NUL ends the host. Returns `undefined` if the host is not an IP literal.
 */
export function parseIpAddress(hostPort: string, interfaces: ReadonlyMap<string, number>): IpAddress | undefined {
  const split = splitHostPort(hostPort);
  if (split === undefined) return undefined;
  const [host = ''] = split.host.split('\0');
  const port = Number.parseInt(split.port, 10);
  if (Number.isNaN(port) || port < 0 || port > 65_535) return undefined;
  const v4 = parseV4(host);
  if (v4 !== undefined) return { family: 4, v4, port };
  const percent = host.lastIndexOf('%');
  const v6 = parseV6(percent < 0 ? host : host.slice(0, percent));
  const zone = percent < 0 ? 0 : zoneOf(host.slice(percent + 1), interfaces);
  return v6 === undefined || zone === undefined ? undefined : { family: 6, bytes: v6, port, zone };
}

/** Returns `host:port`. A host with colons gets brackets unless it begins with one. */
export function joinHostPort(host: string, port: number): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}

function splitHostPort(text: string): { host: string; port: string } | undefined {
  if (!text.startsWith('[')) {
    const parts = text.split(':');
    return parts.length === 2 ? { host: parts[0] as string, port: parts[1] as string } : undefined;
  }
  const close = text.indexOf(']', 1);
  if (close < 0 || text[close + 1] !== ':' || !text.slice(1, close).includes(':')) return undefined;
  return { host: text.slice(1, close), port: text.slice(close + 2) };
}

function zoneOf(text: string, interfaces: ReadonlyMap<string, number>): number | undefined {
  if (/^\d+$/.test(text) && Number(text) <= 0xffffffff) return Number(text);
  return interfaces.get(text);
}

const ZERO = 0x30;

/**
 * Parses four decimal numbers without leading zeros. Does not use a regular expression because large resources have
 * many addresses.
 */
export function parseV4(text: string): number | undefined {
  if (text.length > 15) return undefined;
  let address = 0;
  let from = 0;
  for (let part = 0; part < 4; part++) {
    const dot = part < 3 ? text.indexOf('.', from) : text.length;
    const value = parseByte(text, from, dot);
    if (value < 0) return undefined;
    address = address * 256 + value;
    from = dot + 1;
  }
  return address;
}

/** Parses the byte in `text[from, to)`; returns -1 if it is invalid. */
function parseByte(text: string, from: number, to: number): number {
  if (to <= from || to - from > 3) return -1;
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    const isLeadingZero = digit === 0 && i === from && to - from > 1;
    if (digit < 0 || digit > 9 || isLeadingZero) return -1;
    value = value * 10 + digit;
  }
  return value > 255 ? -1 : value;
}

function v4Bytes(v4: number): number[] {
  return [v4 >>> 24, (v4 >>> 16) & 255, (v4 >>> 8) & 255, v4 & 255];
}

function parseV6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, i) => groupBytes(half, i === halves.length - 1));
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  const missing = 16 - head.length - (tail as number[]).length;
  return missing < 2 ? undefined : [...head, ...new Array<number>(missing).fill(0), ...(tail as number[])];
}

/** Parses groups of up to four hexadecimal digits. The last group may be an IPv4 address. */
function groupBytes(text: string, mayEndInV4: boolean): number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [i, group] of groups.entries()) {
    const v4 = mayEndInV4 && i === groups.length - 1 ? parseV4(group) : undefined;
    if (v4 !== undefined) bytes.push(...v4Bytes(v4));
    else if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
    else bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff);
  }
  return bytes;
}

/** `ipv4:127.0.0.1:443`, `ipv6:%5B::1%5D:443`; an IPv4 address mapped into IPv6 prints as IPv4. */
export function addressUri(address: IpAddress): string {
  const { port } = address;
  if (address.family === 4) return `ipv4:${v4Bytes(address.v4).join('.')}:${port}`;
  const { bytes, zone } = address;
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (isMapped) return `ipv4:${bytes.slice(-4).join('.')}:${port}`;
  return `ipv6:%5B${formatV6(bytes)}${zone === 0 ? '' : `%25${zone}`}%5D:${port}`;
}

/** `127.0.0.1:443`, `[::1]:443`. */
export function addressText(address: IpAddress): string {
  if (address.family === 4) return `${v4Bytes(address.v4).join('.')}:${address.port}`;
  return `[${formatV6(address.bytes)}${address.zone === 0 ? '' : `%${address.zone}`}]:${address.port}`;
}

/** Clears all but the first `length` bits of an address. */
export function maskAddress(address: IpAddress, length: number): IpAddress {
  const mask = (byte: number, i: number): number => byte & (0xff00 >> Math.min(8, Math.max(0, length - 8 * i))) & 0xff;
  if (address.family === 6) return { ...address, bytes: address.bytes.map(mask) };
  return { ...address, v4: v4Bytes(address.v4).reduce((v4, byte, i) => v4 * 256 + mask(byte, i), 0) };
}

/**
 * Prints an IPv6 address as inet_ntop does: the first longest run of two or more zero groups becomes `::`, and embedded
 * IPv4 addresses are printed as `::a.b.c.d` and `::ffff:a.b.c.d`.
 */
function formatV6(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] as number) << 8) | (bytes[2 * i + 1] as number));
  let best = { at: -1, length: 1 };
  for (let at = 0; at < 8; at++) {
    let length = 0;
    while (at + length < 8 && groups[at + length] === 0) length++;
    if (length > best.length) best = { at, length };
  }
  const v4 = bytes.slice(-4).join('.');
  if (best.at === 0 && best.length === 6) return `::${v4}`;
  if (best.at === 0 && best.length === 5 && groups[5] === 0xffff) return `::ffff:${v4}`;
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  if (best.at < 0) return hex(groups);
  return `${hex(groups.slice(0, best.at))}::${hex(groups.slice(best.at + best.length))}`;
}

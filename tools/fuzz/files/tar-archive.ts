const BLOCK = 512;

/** A member of a tar archive, valid or not. */
export interface TarMember {
  name: string;
  body?: Buffer | string;
  /** The type flag: `0` a file, `2` a symbolic link, `x` attributes of the next member. */
  type?: string;
  link?: string;
  /** The size in the header, if it differs from that of the body. */
  size?: number;
  /** Replaces bytes of the header before the checksum is computed. */
  change?: (header: Buffer) => void;
  checksum?: number;
}

/** A tar archive (ustar). Unlike a real writer, it also writes invalid members. */
export function tarArchive(all: readonly TarMember[]): Buffer {
  return Buffer.concat([...all.flatMap(blocksOf), Buffer.alloc(2 * BLOCK)]);
}

/** A record of the attributes in a member of type `x` or `g`. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length;
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
  return `${length}${rest}`;
}

function blocksOf({ name, body = '', type = '0', link = '', size, change, checksum }: TarMember): Buffer[] {
  const bytes = Buffer.from(body);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write('0000644\x000000000\x000000000\0', 100);
  header.write(`${octal(size ?? bytes.length)}\0${octal(0)}\0        ${type}`, 124);
  header.write(link, 157, 100);
  header.write('ustar\u000000', 257);
  change?.(header);
  const sum = checksum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}

const octal = (number: number): string => number.toString(8).padStart(11, '0');

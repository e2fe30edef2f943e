import { SKIM_TABLES } from '../generated/skim-tables.js';
import { type Reader, WireType } from './reader.js';
import { checkUtf8 } from './utf8.js';

/** The check for a length-delimited field: the table index of a message, or the letter of a leaf. */
type Check = number | string;

/** Checks by field number. An array is faster than a map. */
type Table = (Check | undefined)[];

const tables: (Table | undefined)[] = [];

/**
 * Skips a field that gRPC does not read, and rejects what C-core's decoder rejects in it. upb decodes every field of
 * its schema, so invalid UTF-8 or a malformed submessage in an ignored field makes it reject the whole resource.
 */
export function skimField(reader: Reader, tag: number, table: number): void {
  if ((tag & 7) !== WireType.bytes) {
    reader.skip(tag);
    return;
  }
  const check = (tables[table] ?? tableOf(table))[tag >>> 3];
  skimValue(reader, reader.delimited(), check);
}

/** Checks a submessage that ends at `stop`. */
export function skimMessage(reader: Reader, stop: number, table: number): void {
  const outer = reader.enter(stop);
  const checks = tables[table] ?? tableOf(table);
  const { bytes } = reader;
  while (reader.pos < stop) {
    const { pos } = reader;
    const tag = bytes[pos] as number;
    const length = pos + 1 < stop ? (bytes[pos + 1] as number) : 0x80;
    // Fast path: most fields are short and have low numbers.
    if (tag < 0x80 && tag >= 8 && (tag & 7) === WireType.bytes && length < 0x80 && pos + 2 + length <= stop) {
      reader.pos = pos + 2;
      skimValue(reader, pos + 2 + length, checks[tag >>> 3]);
    } else skimField(reader, reader.tag(), table);
  }
  reader.leave(outer);
}

function skimValue(reader: Reader, stop: number, check: Check | undefined): void {
  if (check === undefined) reader.pos = stop;
  else if (typeof check === 'number') skimMessage(reader, stop, check);
  else skimLeaf(reader, stop, check);
}

/** Checks a string (`s`), or a packed list of varints (`v`), 32-bit (`f`) or 64-bit values (`d`). */
export function skimLeaf(reader: Reader, stop: number, letter: string): void {
  const length = stop - reader.pos;
  if (letter === 's') checkUtf8(reader.bytes, reader.pos, stop);
  else if (letter === 'v') skimVarints(reader, stop);
  else if (length % (letter === 'f' ? 4 : 8) !== 0) reader.fail('packed field of uneven length');
  reader.pos = stop;
}

function skimVarints(reader: Reader, stop: number): void {
  const outer = reader.end;
  reader.end = stop;
  while (reader.pos < stop) reader.skipVarint();
  reader.end = outer;
}

/**
 * Parses a table on first use. A table is a string such as `2s,14m7`: field 2 is a string, field 14 a message with
 * table 7.
 */
function tableOf(index: number): Table {
  const table: Table = [];
  for (const entry of (SKIM_TABLES[index] as string).split(',')) {
    const parts = /^(\d+)([a-z])(\d*)$/.exec(entry);
    if (parts !== null) table[Number(parts[1])] = parts[2] === 'm' ? Number(parts[3]) : (parts[2] as string);
  }
  tables[index] = table;
  return table;
}

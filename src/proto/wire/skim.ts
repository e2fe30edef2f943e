import { SKIM_TABLES } from '../generated/skim-tables.js';
import { type Reader, WireType } from './reader.js';
import { checkUtf8 } from './utf8.js';

/** What to check in a length-delimited field: a message by its table's index, or one of these. */
const CHECK_STRING = -1;
const CHECK_PACKED_VARINT = -2;
const CHECK_PACKED_32 = -3;
const CHECK_PACKED_64 = -4;

const LETTERS: Record<string, number> = {
  s: CHECK_STRING,
  v: CHECK_PACKED_VARINT,
  f: CHECK_PACKED_32,
  d: CHECK_PACKED_64,
};

const tables: (Map<number, number> | undefined)[] = [];

/**
 * Passes over a field that gRPC does not read, refusing what C-core's decoder would refuse in it: upb decodes every
 * field of its schema, so bad UTF-8 or a broken submessage in an ignored field rejects the whole resource.
 */
export function skimField(reader: Reader, tag: number, table: number): void {
  if ((tag & 7) !== WireType.bytes) {
    reader.skip(tag);
    return;
  }
  const check = tableOf(table).get(tag >>> 3);
  const stop = reader.delimited();
  if (check === undefined) reader.pos = stop;
  else if (check >= 0) skimMessage(reader, stop, check);
  else skimLeaf(reader, stop, check);
}

function skimMessage(reader: Reader, stop: number, table: number): void {
  const outer = reader.enter(stop);
  while (reader.pos < stop) skimField(reader, reader.tag(), table);
  reader.leave(outer);
}

function skimLeaf(reader: Reader, stop: number, check: number): void {
  if (check === CHECK_STRING) checkUtf8(reader.bytes, reader.pos, stop);
  if (check === CHECK_PACKED_32 && (stop - reader.pos) % 4 !== 0) reader.fail('packed field of uneven length');
  if (check === CHECK_PACKED_64 && (stop - reader.pos) % 8 !== 0) reader.fail('packed field of uneven length');
  if (check === CHECK_PACKED_VARINT) {
    const outer = reader.end;
    reader.end = stop;
    while (reader.pos < stop) reader.skipVarint();
    reader.end = outer;
  }
  reader.pos = stop;
}

/** A table is a text like `2s,14m7`: field 2 is a string, field 14 a message with table 7. Read on first use. */
function tableOf(index: number): Map<number, number> {
  let table = tables[index];
  if (table === undefined) {
    table = new Map();
    for (const entry of (SKIM_TABLES[index] as string).split(',')) {
      const parts = /^(\d+)([a-z])(\d*)$/.exec(entry);
      if (parts !== null) table.set(Number(parts[1]), LETTERS[parts[2] as string] ?? Number(parts[3]));
    }
    tables[index] = table;
  }
  return table;
}

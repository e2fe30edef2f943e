import type { Reader } from '../flood/command.ts';
import type { Flood } from '../flood/messages.ts';

/** A command that is interrupted. */
export interface InterruptCase {
  name: string;
  reader: Reader;
  /** The flood of the control plane, as fast as the client reads; none for `serve`. */
  flood: Flood | undefined;
  /** Arguments before the flags of the connection. */
  argv: readonly string[];
  /** What is inspected: a target, a type of `get`, other processes by CSDS, or nothing. */
  of: 'target' | 'type' | 'file' | 'csds' | 'streams';
}

const row = (
  argv: string,
  reader: Reader = 'reads',
  flood: Flood = 'update',
  of: InterruptCase['of'] = 'target',
): InterruptCase => ({ name: argv, argv: argv.split(' '), reader, flood, of });

/** A condition that never holds, so that the command waits. */
const NEVER = 'CDS/no-such-cluster=ACKED';

export const CASES: readonly InterruptCase[] = [
  row('watch -o ndjson'),
  row('watch -o ndjson', 'reads', 'reject'),
  row('watch -o ndjson', 'reads', 'tear'),
  row('watch -o lines'),
  row('watch', 'terminal'),
  row('watch -o ndjson', 'never reads'),
  row('watch -o lines', 'never reads', 'reject'),
  row('tears --for 1h'),
  row('tears --for 1h', 'reads', 'tear'),
  row('tears --for 1h -o ndjson', 'never reads', 'tear'),
  row('status --timeout 1h', 'reads', 'tear'),
  row('status --timeout 1h -o ndjson', 'never reads', 'tear'),
  row('report -w', 'terminal'),
  row('get endpoints cluster-0 --watch -o ndjson', 'reads', 'update', 'type'),
  row('get endpoints cluster-0 --watch -o ndjson', 'never reads', 'update', 'type'),
  row('check --timeout 1h', 'reads', 'tear', 'file'),
  row(`wait --timeout 1h --until ${NEVER}`),
  row('record --for 1h', 'reads', 'update'),
  { ...row('csds --watch --interval 100ms -o ndjson'), of: 'csds' },
  { ...row('csds --watch --interval 100ms -o json', 'never reads'), of: 'csds' },
  { ...row('serve'), flood: undefined, of: 'streams' },
];

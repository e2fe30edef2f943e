import { join } from 'node:path';
import { LISTENER } from '../../bench/client/listener.ts';
import { ProcessMeter } from '../../bench/peers/process-meter.ts';
import { Command, hasTerminal, type Reader } from '../flood/command.ts';
import { FloodPlane } from '../flood/plane.ts';
import { programs } from '../programs.ts';
import { type Sample, slopePerMinute } from './growth.ts';

/** The largest growth after the warm-up that counts as flat, extrapolated to ten minutes. */
export const FLAT_MIB = 16;
const FLAT_MINUTES = 10;
const SAMPLE_MS = 2000;
/** The part of the run in which V8 compiles the code and caches fill. */
const WARM_UP = 0.25;
const END_MS = 20_000;

interface RateCase {
  name: string;
  reader: Reader;
  argv(folder: string): string[];
}

const CASES: readonly RateCase[] = [
  { name: 'watch -o ndjson', reader: 'reads', argv: () => ['watch', '-o', 'ndjson'] },
  { name: 'watch, on a terminal', reader: 'terminal', argv: () => ['watch'] },
  { name: 'tears', reader: 'reads', argv: () => ['tears', '--for', '10h'] },
  {
    name: 'watch -o ndjson --record',
    reader: 'reads',
    argv: (folder) => ['watch', '-o', 'ndjson', '--record', join(folder, 'watch.xdsrec.gz')],
  },
  {
    name: 'tears --record',
    reader: 'reads',
    argv: (folder) => ['tears', '--for', '10h', '--record', join(folder, 'tears.xdsrec.gz')],
  },
  { name: 'watch -o ndjson --csds-port', reader: 'reads', argv: () => ['watch', '-o', 'ndjson', '--csds-port', '0'] },
  { name: 'watch -o ndjson, output not read', reader: 'never reads', argv: () => ['watch', '-o', 'ndjson'] },
];

export interface RateContext {
  root: string;
  /** Duration of each command. */
  seconds: number;
  /** Responses per second. Each changes one load assignment. */
  perSecond: number;
  /** Only the commands whose name is this text, or all. */
  only?: string | undefined;
  /** An empty folder for recordings. */
  folder: string;
  progress(line: string): void;
}

export interface RateRow {
  name: string;
  seconds: number;
  /** Responses per second that the client accepted in time. */
  achieved: number;
  /** Resident memory after the warm-up and at the end, and its slope. */
  startMib: number;
  endMib: number;
  peakMib: number;
  mibPerMinute: number;
  /** CPU time as a share of one core. */
  cpu: number;
}

export interface RateResult {
  counts: Record<string, number>;
  failures: string[];
  notes: string[];
  skipped: string[];
  rows: RateRow[];
}

/** Sends updates at a fixed rate, and measures whether the memory of the commands grows. */
export async function measureRates(context: RateContext): Promise<RateResult> {
  const result: RateResult = { counts: {}, failures: [], notes: [], skipped: [], rows: [] };
  for (const one of CASES) {
    if (context.only !== undefined && one.name !== context.only) continue;
    if (one.reader === 'terminal' && !hasTerminal) {
      result.skipped.push(`${one.name}: the program script is not installed`);
      continue;
    }
    const row = await measure(one, context);
    result.rows.push(row);
    context.progress(rateCells(row).join(', '));
    if (row.mibPerMinute * FLAT_MINUTES > FLAT_MIB)
      result.failures.push(`${row.name}: memory grows by ${row.mibPerMinute.toFixed(1)} MiB per minute`);
  }
  const updates = result.rows.reduce((sum, { achieved, seconds }) => sum + achieved * seconds, 0);
  result.counts = { commands: result.rows.length, updates: Math.round(updates) };
  return result;
}

export const RATE_HEAD = [
  'command',
  'time',
  'updates per second',
  'resident after warm-up',
  'at the end',
  'peak',
  'growth',
  'CPU of a core',
];

export function rateCells(row: RateRow): string[] {
  const mib = (value: number): string => `${value.toFixed(0)} MiB`;
  return [
    row.name,
    `${row.seconds.toFixed(0)} s`,
    row.achieved.toFixed(0),
    mib(row.startMib),
    mib(row.endMib),
    mib(row.peakMib),
    `${row.mibPerMinute.toFixed(1)} MiB per minute`,
    `${(100 * row.cpu).toFixed(0)} %`,
  ];
}

async function measure(
  { name, reader, argv }: RateCase,
  { root, seconds, perSecond, folder }: RateContext,
): Promise<RateRow> {
  const plane = await FloodPlane.start((await programs(root)).flood, 'update', { perSecond, clusters: 100 });
  const flags = ['--server', `127.0.0.1:${plane.port}`, '--plaintext'];
  const command = new Command(root, [...argv(folder), ...flags, LISTENER], reader);
  try {
    await plane.untilSent(1, () => command.hasEnded);
    const meter = new ProcessMeter(command.pid);
    const start = performance.now();
    const elapsed = (): number => (performance.now() - start) / 1000;
    const before = (await plane.counts()).sent;
    const cpuMs = meter.cpuMs();
    const samples: Sample[] = [];
    while (elapsed() < seconds && !command.hasEnded) {
      await new Promise((wake) => setTimeout(wake, SAMPLE_MS));
      if (!command.hasEnded) samples.push({ seconds: elapsed(), mib: meter.residentMiB() });
    }
    if (command.hasEnded) throw new Error(`${name} ended: ${command.stderr}`);
    const time = elapsed();
    const { sent } = await plane.counts();
    const warm = samples.filter((sample) => sample.seconds >= WARM_UP * seconds);
    return {
      name,
      seconds: time,
      achieved: (sent - before) / time,
      startMib: warm[0]?.mib ?? 0,
      endMib: warm.at(-1)?.mib ?? 0,
      peakMib: meter.peakMiB(),
      mibPerMinute: slopePerMinute(warm),
      cpu: (meter.cpuMs() - cpuMs) / (1000 * time),
    };
  } finally {
    command.interrupt();
    await command.exit(END_MS);
    await plane.end();
  }
}

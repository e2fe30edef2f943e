import type { Amount } from '../page/value.ts';
import type { BenchSetup, Outcome } from '../section.ts';
import { skipped } from './builds.ts';
import { Plane } from './plane.ts';
import { Watching } from './watching.ts';

const CLUSTERS = 100;
const RATE = 100;
const UPDATES = 2000;
/** Updates until V8 and the connection are warm. */
const WARM_UP = 200;

/** Measures from the moment at which the control plane writes an update until `watch` has printed it into a pipe. */
export async function latency({ root, builds }: BenchSetup): Promise<Outcome> {
  const command = builds.commands['bench-plane'];
  if (command === undefined) return skipped(builds);
  const plane = await Plane.start(command, CLUSTERS);
  const printed = new Map<string, number>();
  const toUnixTime = unixTime();
  const watching = await Watching.start(
    root,
    plane,
    (line) => {
      const event = JSON.parse(line) as { kind: string; version?: string };
      if (event.kind === 'resource') printed.set(String(event.version), toUnixTime(performance.now()));
    },
    { watch: ['-o', 'ndjson'] },
  );
  try {
    await plane.pacedUpdates(WARM_UP, RATE);
    const before = watching.meter.cpuMs();
    const written = await plane.pacedUpdates(UPDATES, RATE);
    await new Promise((wake) => setTimeout(wake, 500));
    const cpuMs = watching.meter.cpuMs() - before;
    const delays = [...written].flatMap(([version, at]) => {
      const printedAt = printed.get(version);
      return printedAt === undefined ? [] : [printedAt - at];
    });
    if (delays.length === 0) throw new Error('no update was printed');
    delays.sort((a, b) => a - b);
    const ms = (value: number): Amount => ({ unit: 'ms', median: value });
    const at = (share: number): Amount => ms(delays[Math.floor(share * (delays.length - 1))] as number);
    return {
      columns: ['half of the lines within', '90 %', '99 %', 'all', 'CPU of an update', 'updates', 'printed'],
      rows: [[at(0.5), at(0.9), at(0.99), at(1), ms(cpuMs / UPDATES), written.size, delays.length]],
      figures: [],
    };
  } finally {
    await watching.end();
    plane.end();
  }
}

/**
 * Converts the clock of this process to Unix time, which the control plane uses. `Date` has whole milliseconds only, so
 * this waits for the start of one. An interruption makes the start appear late, so the earliest of many counts.
 */
function unixTime(): (at: number) => number {
  let offset = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < 50; i++) {
    const last = Date.now();
    let now = last;
    while (now === last) now = Date.now();
    offset = Math.max(offset, now - performance.now());
  }
  return (at) => at + offset;
}

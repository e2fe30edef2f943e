import { table } from '../markdown.ts';
import type { BenchSetup, Outcome } from '../section.ts';
import { skipped } from './builds.ts';
import { Plane } from './plane.ts';
import { Watching } from './watching.ts';

const CLUSTERS = 100;
const RATE = 100;
const UPDATES = 2000;
/** The compiler and the connection are warm then. */
const WARM_UP = 200;

/** From the moment in which the control plane writes an update until `watch` has printed it into a pipe. */
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
      const seenAt = printed.get(version);
      return seenAt === undefined ? [] : [seenAt - at];
    });
    const at = (share: number): string =>
      (delays.sort((a, b) => a - b)[Math.floor(share * (delays.length - 1))] ?? Number.NaN).toFixed(1);
    const row = [
      `${delays.length} of ${written.size}`,
      at(0.5),
      at(0.9),
      at(0.99),
      at(1),
      (cpuMs / UPDATES).toFixed(2),
    ];
    return {
      markdown: table(
        ['printed of those written', 'p50, ms', 'p90, ms', 'p99, ms', 'longest, ms', 'CPU ms each'],
        [row],
      ),
      figures: [],
    };
  } finally {
    await watching.end();
    plane.end();
  }
}

/**
 * The clock of this process and that of the control plane: `Date` has whole milliseconds only, so one is seen to begin.
 * A process that is interrupted there sees it late, so the earliest of many counts.
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

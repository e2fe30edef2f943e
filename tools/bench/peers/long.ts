import { bundled } from '../bundle.ts';
import type { Figure } from '../measure.ts';
import type { Amount, Value } from '../page/value.ts';
import type { BenchSetup, Outcome } from '../section.ts';
import { skipped } from './builds.ts';
import { delayOf, PacedWatch } from './paced-watch.ts';
import { Plane } from './plane.ts';

const CLUSTERS = 100;
const RATE = 100;
const ROWS = 10;
const DEFAULT_MINUTES = 2;
/** One command to the control plane takes at most this long. */
const BURST_SECONDS = 20;
const GROWTH_GOAL = 1.1;
const P99_GOAL_MS = 10;

interface Point {
  updates: number;
  heapMiB: number;
  residentMiB: number;
  delays: number[];
  cpuMs: number;
  printed: number;
}

/** Measures the memory of `watch -o ndjson` and the delay of its lines at a constant rate of updates. */
export async function long({ root, builds }: BenchSetup): Promise<Outcome> {
  const minutes = Number(process.env.XDS_BENCH_MINUTES ?? DEFAULT_MINUTES);
  if (!(minutes > 0)) throw new Error('XDS_BENCH_MINUTES must be a number of minutes above 0');
  const command = builds.commands['bench-plane'];
  if (command === undefined) return skipped(builds);
  const heap = await bundled(root, 'peers/heap');
  const plane = await Plane.start(command, CLUSTERS);
  const paced = await PacedWatch.start(root, plane, RATE, ['--expose-gc', '--import', heap]);
  try {
    const points: Point[] = [];
    for (let row = 0; row < ROWS; row++) points.push(await measure(paced, (minutes * 60) / ROWS));
    return outcomeOf(points);
  } finally {
    await paced.watching.end();
    plane.end();
  }
}

async function measure(paced: PacedWatch, seconds: number): Promise<Point> {
  const point: Point = { updates: 0, heapMiB: 0, residentMiB: 0, delays: [], cpuMs: 0, printed: 0 };
  for (let left = seconds; left > 0; left -= BURST_SECONDS) {
    const updates = Math.ceil(Math.min(left, BURST_SECONDS) * RATE);
    const { delays, cpuMs } = await paced.run(updates);
    point.updates += updates;
    point.cpuMs += cpuMs;
    point.delays = [...point.delays, ...delays];
  }
  point.delays.sort((a, b) => a - b);
  const residentMiB = paced.watching.meter.residentMiB();
  return { ...point, residentMiB, heapMiB: await paced.watching.ask<number>(), printed: point.delays.length };
}

const ms = (value: number): Amount => ({ unit: 'ms', median: value });
const mib = (value: number): Amount => ({ unit: 'MiB', median: value });

function outcomeOf(points: readonly Point[]): Outcome {
  let updates = 0;
  const rows = points.map((point): Value[] => {
    updates += point.updates;
    const [half, most, all] = [0.5, 0.99, 1].map((share) => ms(delayOf(point.delays, share)));
    const memory = [mib(point.heapMiB), mib(point.residentMiB)];
    return [
      updates,
      ...memory,
      half as Amount,
      most as Amount,
      all as Amount,
      ms(point.cpuMs / point.updates),
      point.printed,
    ];
  });
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  const p99 = delayOf(
    points.flatMap(({ delays }) => delays).sort((a, b) => a - b),
    0.99,
  );
  const growth = (what: string, of: (point: Point) => number): Figure => ({
    what: `${what} after ${updates.toLocaleString('en')} updates, ${RATE} per second`,
    value: mib(of(last)),
    ratio: of(last) / of(first),
    peer: `that after ${first.updates.toLocaleString('en')}`,
    peerValue: mib(of(first)),
    goal: GROWTH_GOAL,
    runs: 1,
  });
  return {
    columns: [
      'updates so far',
      'heap after garbage collection',
      'resident memory',
      'half of the lines within',
      '99 %',
      'all',
      'CPU of an update',
      'printed',
    ],
    rows,
    figures: [
      growth('heap', ({ heapMiB }) => heapMiB),
      growth('resident memory', ({ residentMiB }) => residentMiB),
      {
        what: `99 % of the lines of ${updates.toLocaleString('en')} updates, ${RATE} per second, printed within`,
        value: ms(p99),
        ratio: p99 / P99_GOAL_MS,
        peer: 'the limit',
        peerValue: ms(P99_GOAL_MS),
        goal: 1,
        runs: 1,
      },
    ],
  };
}

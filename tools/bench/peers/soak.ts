import { bundled } from '../bundle.ts';
import type { Figure } from '../measure.ts';
import type { Amount, Value } from '../page/value.ts';
import type { BenchSetup, Outcome } from '../section.ts';
import { skipped } from './builds.ts';
import { Plane } from './plane.ts';
import { Watching } from './watching.ts';

const CLUSTERS = 50;
const UPDATES = 100_000;
const STEPS = 10;
/** The largest allowed ratio of memory after all updates to memory after the first step. */
const GROWTH_GOAL = 1.1;

/** Measures `watch` in a pipe while clusters and load assignments change in turns, each after the previous ACK. */
export async function soak({ root, builds }: BenchSetup): Promise<Outcome> {
  const command = builds.commands['bench-plane'];
  if (command === undefined) return skipped(builds);
  const heap = await bundled(root, 'peers/heap');
  const plane = await Plane.start(command, CLUSTERS);
  let lines = 0;
  const watching = await Watching.start(root, plane, () => lines++, { node: ['--expose-gc', '--import', heap] });
  try {
    const points: { updates: number; heapMiB: number; residentMiB: number; cpuMs: number; lines: number }[] = [];
    const addPoint = async (updates: number): Promise<void> => {
      const residentMiB = watching.meter.residentMiB();
      const cpuMs = watching.meter.cpuMs();
      points.push({ updates, heapMiB: await watching.ask<number>(), residentMiB, cpuMs, lines });
    };
    await addPoint(0);
    for (let step = 1; step <= STEPS; step++) {
      await plane.updates(UPDATES / STEPS);
      await addPoint((step * UPDATES) / STEPS);
    }
    const rows = points.map((point, i): Value[] => [
      point.updates,
      mib(point.heapMiB),
      mib(point.residentMiB),
      i === 0 ? '' : { unit: 'ms', median: (point.cpuMs - (points[i - 1]?.cpuMs ?? 0)) / (UPDATES / STEPS) },
      point.lines,
    ]);
    const [first, last] = [points[1], points.at(-1)];
    const figure = (what: string, final = Number.NaN, base = Number.NaN): Figure => ({
      what: `${what} after ${UPDATES.toLocaleString('en')} updates`,
      value: mib(final),
      ratio: final / base,
      peer: `that after ${(UPDATES / STEPS).toLocaleString('en')}`,
      peerValue: mib(base),
      goal: GROWTH_GOAL,
      runs: 1,
      ...(what === 'heap' && { headline: headline(final, base) }),
    });
    return {
      columns: [
        'updates so far',
        'heap after garbage collection',
        'resident memory',
        'CPU of an update',
        'printed lines',
      ],
      rows,
      figures: [
        figure('heap', last?.heapMiB, first?.heapMiB),
        figure('resident memory', last?.residentMiB, first?.residentMiB),
      ],
    };
  } finally {
    await watching.end();
    plane.end();
  }
}

const mib = (value: number): Amount => ({ unit: 'MiB', median: value });

function headline(last: number, first: number): string {
  const [all, few] = [UPDATES, UPDATES / STEPS].map((updates) => updates.toLocaleString('en'));
  return `After ${all} updates the heap of \`watch\` is ${last.toFixed(1)} MiB; after ${few} it was ${first.toFixed(1)} MiB.`;
}

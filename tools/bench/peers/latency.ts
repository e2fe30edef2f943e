import type { Amount } from '../page/value.ts';
import type { BenchSetup, Outcome } from '../section.ts';
import { skipped } from './builds.ts';
import { delayOf, PacedWatch } from './paced-watch.ts';
import { Plane } from './plane.ts';

const CLUSTERS = 100;
const RATE = 100;
const UPDATES = 2000;

/** Measures from the moment at which the control plane writes an update until `watch` has printed it into a pipe. */
export async function latency({ root, builds }: BenchSetup): Promise<Outcome> {
  const command = builds.commands['bench-plane'];
  if (command === undefined) return skipped(builds);
  const plane = await Plane.start(command, CLUSTERS);
  const paced = await PacedWatch.start(root, plane, RATE);
  try {
    const { written, delays, cpuMs } = await paced.run(UPDATES);
    const ms = (value: number): Amount => ({ unit: 'ms', median: value });
    const at = (share: number): Amount => ms(delayOf(delays, share));
    return {
      columns: ['half of the lines within', '90 %', '99 %', 'all', 'CPU of an update', 'updates', 'printed'],
      rows: [[at(0.5), at(0.9), at(0.99), at(1), ms(cpuMs / UPDATES), written, delays.length]],
      figures: [],
    };
  } finally {
    await paced.watching.end();
    plane.end();
  }
}

import { seededRandom } from '../../src/base/random.ts';
import type { Checked } from './converged.ts';
import type { SuiteContext, SuiteResult } from './suite.ts';

/** The result of one lane. */
export interface LaneResult extends Checked {
  /** Rounds, and the number of faults of each kind. */
  counts: Record<string, number>;
}

export interface Lane {
  name: string;
  run(random: () => number): Promise<LaneResult>;
}

/** Runs lanes at the same time, each with its own control plane, clients and random numbers, and adds up their counts. */
export async function runLanes(context: SuiteContext, lanes: readonly Lane[]): Promise<SuiteResult> {
  const seeds = lanes.map(() => Math.trunc(context.random() * 2 ** 32));
  const results = await Promise.all(
    lanes.map(async ({ name, run }, i) => {
      try {
        return { name, ...(await run(seededRandom(seeds[i] as number))) };
      } catch (error) {
        return { name, failures: [(error as Error).message], events: 0, streams: 0, transitions: 0, counts: {} };
      }
    }),
  );
  const counts: Record<string, number> = {};
  const add = (key: string, count: number): void => {
    counts[key] = (counts[key] ?? 0) + count;
  };
  for (const result of results) {
    for (const [key, count] of Object.entries(result.counts)) add(key, count);
    add('events', result.events);
    add('streams', result.streams);
    add('updates', result.transitions);
  }
  return { counts, failures: results.flatMap(({ name, failures }) => failures.map((one) => `${name}: ${one}`)) };
}

/** A whole number from `from` to `to`, both included. */
export function between(random: () => number, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

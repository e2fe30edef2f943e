import type { Amount } from './page/value.ts';

/** A measured value that has a goal. */
export interface Figure {
  what: string;
  value?: Amount;
  /** Ours divided by the peer's: below 1 is less than the peer. */
  ratio: number;
  peer: string;
  peerValue?: Amount;
  /** The largest ratio that meets the project's goal. */
  goal: number;
  runs: number;
  /** The sentence for the README; three figures have one. */
  headline?: string;
}

export function isMissed({ ratio, goal }: Figure): boolean {
  return ratio > goal;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** The median, with the smallest and the largest value. */
export function spread(values: readonly number[], digits = 0): string {
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  return values.length > 1 ? `${middle} (${low}–${high})` : `${middle}`;
}

/** Rounds until V8 has compiled the functions. */
const WARM_UP = 5;

/** Wall time of functions in this process, run in turns. */
export function inTurns(functions: readonly (() => unknown)[], runs: number): number[] {
  const times = functions.map((): number[] => []);
  for (let run = 0; run < runs + WARM_UP; run++) {
    functions.forEach((one, i) => {
      const start = process.hrtime.bigint();
      one();
      if (run >= WARM_UP) times[i]?.push(Number(process.hrtime.bigint() - start) / 1e6);
    });
  }
  return times.map(median);
}

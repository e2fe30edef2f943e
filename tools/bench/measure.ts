import { spawnSync } from 'node:child_process';

/** One row of the table of figures. */
export interface Figure {
  what: string;
  /** Ours divided by the peer's: below 1 is faster than the peer. */
  ratio: number;
  peer: string;
  /** The ratio that the project has set itself. */
  goal: number;
  runs: number;
  /** The sentence of the README, for three figures. */
  headline?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** The median, and from where to where they go. */
export function spread(values: readonly number[], digits = 0): string {
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  return values.length > 1 ? `${middle} (${low}–${high})` : `${middle}`;
}

/** Wall time of each command, run in turns, so that whatever else the machine does falls on all of them alike. */
export function interleaved(commands: readonly (readonly string[])[], runs: number): number[] {
  const times = commands.map((): number[] => []);
  for (let run = 0; run < runs; run++) {
    commands.forEach((args, i) => {
      const start = process.hrtime.bigint();
      const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
      times[i]?.push(Number(process.hrtime.bigint() - start) / 1e6);
      if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
    });
  }
  return times.map(median);
}

/** Rounds until the compiler has done what it does. */
const WARM_UP = 5;

/** The same for functions in this process. */
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

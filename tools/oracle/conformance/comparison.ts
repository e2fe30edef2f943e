/** The number of compared expectations of one kind. */
export interface Tally {
  /** `answers`, `csds`, … */
  what: string;
  agree: number;
  total: number;
  /** Expectations that differed between two recordings of the same scenario and are not compared. */
  varied?: number;
}

/** One difference between the engine and the recording. */
export interface Difference {
  id: string;
  what: string;
  expected: unknown;
  actual: unknown;
  /** The decision in the recording that explains it; C-core's policies undo it. */
  decision?: string;
}

/** Counts what agrees and collects the differences. */
export class Comparison {
  readonly differences: Difference[] = [];
  readonly #tallies = new Map<string, Tally>();

  compare(id: string, what: string, expected: unknown, actual: unknown, detail = ''): void {
    const tally = this.#tally(what);
    tally.total++;
    if (isSame(expected, actual)) tally.agree++;
    else this.differences.push({ id, what: detail === '' ? what : `${what} ${detail}`, expected, actual });
  }

  skip(what: string): void {
    const tally = this.#tally(what);
    tally.varied = (tally.varied ?? 0) + 1;
  }

  get tallies(): Tally[] {
    return [...this.#tallies.values()];
  }

  #tally(what: string): Tally {
    const tally = this.#tallies.get(what) ?? { what, agree: 0, total: 0 };
    this.#tallies.set(what, tally);
    return tally;
  }
}

/** Whether two values are equal, ignoring the order of keys and undefined values. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .sort(([x], [y]) => (x < y ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}

/** A group of checks with injected faults. `npm run faults` runs all suites, one after the other. */
export interface Suite {
  /** For `--only`; kebab-case. */
  name: string;
  /** One line: the injected faults and the checked property. */
  summary: string;
  /** `--quick` runs it, too, with fewer rounds (`context.quick`). */
  quick: boolean;
  run(context: SuiteContext): Promise<SuiteResult>;
}

export interface SuiteContext {
  /** The root of the checkout. `bin/xds-inspect.js` in it is built. */
  root: string;
  quick: boolean;
  /** `--seed`. Derive all random choices from it or from `random`, so that a run can be repeated. */
  seed: number;
  /** Uniform in [0, 1), from the seed and the name of the suite. */
  random(): number;
  /** An existing, empty folder. A file that is left in it is a failure. */
  folder: string;
  /** Prints a line of progress on stderr. */
  progress(line: string): void;
}

export interface SuiteResult {
  /** The columns of the table, for example { rounds: 40, faults: 75, events: 8123 }. */
  counts: Record<string, number>;
  /** One message per failed check. Empty: the suite passed. */
  failures: string[];
  /** Measured values and other remarks, one line each, that decide nothing. */
  notes?: string[];
  /** Measured values as a Markdown table. They decide nothing. */
  table?: string;
  /** The parts that cannot run on this machine, and why: "clock steps: libfaketime is not installed". */
  skipped?: string[];
}

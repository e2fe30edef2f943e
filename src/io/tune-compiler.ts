/**
 * Delays optimisation by V8 for ten seconds. Most runs take less than a second, and V8's background threads optimise
 * functions when most of the work is already done. A threshold eight times higher saves at least a fifth of the CPU time of
 * such runs. Longer runs get the default back: without it, `watch` takes a sixth more CPU time for each message. Call this
 * after the code has been loaded: with changed flags, V8 does not use the cached code of Node's own modules.
 */
export function tuneCompiler(): void {
  if (!V8_TUNED.test(process.versions.v8)) return;
  setBudget(8 * DEFAULT_BUDGET);
  isTuned = true;
  setTimeout(() => {
    isTuned = false;
    setBudget(DEFAULT_BUDGET);
  }, SHORT_RUN_MS).unref();
}

/** Runs with the default flags of V8, which refuses compiled code that was made with other flags. */
export function withDefaultFlags<T>(run: () => T): T {
  if (!isTuned) return run();
  setBudget(DEFAULT_BUDGET);
  try {
    return run();
  } finally {
    setBudget(8 * DEFAULT_BUDGET);
  }
}

/** The V8 of Node 20, on which this was measured. Later versions have an additional compiler tier. */
const V8_TUNED = /^11\./;
const DEFAULT_BUDGET = 66 * 1024;
const SHORT_RUN_MS = 10_000;

let isTuned = false;

function setBudget(bytes: number): void {
  // Loading this module takes a millisecond, which short runs do not need.
  process.getBuiltinModule('node:v8').setFlagsFromString(`--interrupt-budget=${bytes}`);
}

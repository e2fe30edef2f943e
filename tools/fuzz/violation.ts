import type { Oracle } from './oracles.js';

/** An oracle failed: the named property does not hold. */
class Violation extends Error {
  readonly oracle: Oracle;

  constructor(oracle: Oracle, message: string) {
    super(message);
    this.oracle = oracle;
  }
}

/** Fails the oracle unless the condition holds. The message is built only on failure. */
export function require(condition: boolean, oracle: Oracle, message: () => string): asserts condition {
  if (!condition) throw new Violation(oracle, message());
}

/** The name of the oracle that an exception stands for. */
export function oracleOf(error: unknown): Oracle {
  return error instanceof Violation ? error.oracle : 'no-exception';
}

/** The message of an exception; unexpected ones with their stack. */
export function messageOf(error: unknown): string {
  if (error instanceof Violation) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

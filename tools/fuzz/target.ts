import type { Dice } from '../oracle/mutation/dice.js';
import type { Oracle } from './oracles.js';

/** A file that reproduces a bug. */
interface Reproducer {
  /** The extension, with its dot. */
  extension: string;
  contents: string | Uint8Array;
}

/** The smallest case that fails an oracle. */
export interface SmallestCase {
  message: string;
  /** How many inputs it has. */
  inputs: number;
  reproducers: readonly Reproducer[];
}

/** A failed oracle. */
export interface Failure {
  oracle: Oracle;
  message: string;
  /** Searches for the smallest case with this failure. Takes a while, so it is called once per kind of bug. */
  smallest?(): SmallestCase | Promise<SmallestCase>;
}

export interface CaseResult {
  /** The number of inputs that the case has passed to the code under test. */
  inputs: number;
  failure?: Failure | undefined;
}

/** A part of the program that is fuzzed. The dice determine a case completely. */
export interface FuzzTarget {
  name: string;
  /** For `--help`. */
  description: string;
  /** The share of `--seconds` relative to the other targets. */
  share: number;
  run(dice: Dice): CaseResult | Promise<CaseResult>;
  /** Frees sockets and files after the last case. */
  close?(): Promise<void> | void;
}

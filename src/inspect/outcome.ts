import { EXIT, type ExitCode } from '../base/exit-codes.js';
import type { VerdictWord } from './verdict/verdict.js';

/** The facts that determine the exit code of a command. */
export interface Outcome {
  verdicts?: readonly VerdictWord[];
  /** No server of an authority that a target needs can be used (`hasLostAuthority`). */
  isLost?: boolean;
  /** The command waited for something that did not happen in time. */
  isTimedOut?: boolean;
  /** A resource has a status named by `--fail-on`, an expectation failed, or a finding is severe enough. */
  hasFindings?: boolean;
  isInterrupted?: boolean;
}

/** If several apply, the first wins. */
const LADDER: readonly ExitCode[] = [
  EXIT.bug,
  EXIT.interrupted,
  EXIT.usage,
  EXIT.badInput,
  EXIT.unavailable,
  EXIT.timedOut,
  EXIT.findings,
];

const BY_VERDICT: Record<VerdictWord, ExitCode> = {
  ok: EXIT.ok,
  unknown: EXIT.ok,
  partly: EXIT.findings,
  fails: EXIT.findings,
  waiting: EXIT.timedOut,
};

/** Converts an outcome to an exit code. No other code chooses exit codes. */
export function exitCode(outcome: Outcome): ExitCode {
  const { verdicts = [], isLost, isTimedOut, hasFindings, isInterrupted } = outcome;
  return firstExitCode([
    ...verdicts.map((verdict) => BY_VERDICT[verdict]),
    isLost === true ? EXIT.unavailable : EXIT.ok,
    isTimedOut === true ? EXIT.timedOut : EXIT.ok,
    hasFindings === true ? EXIT.findings : EXIT.ok,
    isInterrupted === true ? EXIT.interrupted : EXIT.ok,
  ]);
}

/** Returns the winning exit code of several commands or steps. */
export function firstExitCode(codes: readonly ExitCode[]): ExitCode {
  return LADDER.find((code) => codes.includes(code)) ?? EXIT.ok;
}

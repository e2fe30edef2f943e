/** What the process says when it ends; docs/exit-codes.md explains each to users. */
export const EXIT = {
  ok: 0,
  bug: 1,
  usage: 64,
  badInput: 65,
  unavailable: 69,
  timedOut: 75,
  findings: 79,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What is true of a run; several may be. */
export interface ExitFacts {
  isInterrupted?: boolean;
  /** No server of a needed authority could be used. */
  isUnavailable?: boolean;
  isTimedOut?: boolean;
  hasFindings?: boolean;
}

/** If several apply, the first of 130, 69, 75, 79 wins. */
export function exitCodeFor({ isInterrupted, isUnavailable, isTimedOut, hasFindings }: ExitFacts): ExitCode {
  if (isInterrupted) return EXIT.interrupted;
  if (isUnavailable) return EXIT.unavailable;
  if (isTimedOut) return EXIT.timedOut;
  return hasFindings ? EXIT.findings : EXIT.ok;
}

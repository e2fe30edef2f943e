/** Exit codes of the process; docs/exit-codes.md explains them to users. */
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

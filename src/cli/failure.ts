import type { ExitCode } from '../base/exit-codes.js';

/** Ends a command with a message for the user and an exit code; no stack, since it is nobody's bug. */
export class Failure extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

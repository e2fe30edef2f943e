import { EXIT, type ExitCode } from './exit-codes.js';

/** Ends a command with a message for the user and an exit code; it has no stack, since it is not a bug. */
export class Failure extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The user typed, or set as `XDS_INSPECT_<FLAG>`, a value that cannot be used. */
export class UsageError extends Failure {
  constructor(message: string) {
    super(EXIT.usage, message);
  }
}

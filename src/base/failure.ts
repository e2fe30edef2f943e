import { EXIT, type ExitCode } from './exit-codes.js';

/** Ends a command with a message for the user and an exit code. The stack is not printed, because it is not a bug. */
export class Failure extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An invalid value of a flag, or of its variable `XDS_INSPECT_<FLAG>`. */
export class UsageError extends Failure {
  constructor(message: string) {
    super(EXIT.usage, message);
  }
}

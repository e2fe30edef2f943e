import type { JsonNode } from '../../base/json/node.js';
import { formatPath, type PathStep } from '../../base/problem.js';
import type { Bootstrap } from '../bootstrap.js';
import type { BootstrapResult } from '../read-bootstrap.js';

/** Thrown where an implementation rejects a bootstrap. */
export class Rejection extends Error {
  /** The path to the part that is rejected. */
  readonly steps: readonly PathStep[];
  /** The first cause, without the text of the bootstrap that grpc-go repeats in its message. */
  readonly reason: string;

  constructor(message: string, steps: readonly PathStep[] = [], reason = message) {
    super(message);
    this.steps = [...steps];
    this.reason = reason;
  }
}

/** The end of the process instead of an error. */
export class Crash extends Rejection {}

/** Runs `read`, and puts its error into another message. */
export function wrapErrors<T>(read: () => T, message: (cause: string) => string): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Rejection && !(error instanceof Crash))
      throw new Rejection(message(error.message), error.steps, error.reason);
    throw error;
  }
}

/** The result for a text that is not JSON. */
export function notJson(message: string, reason: string, offset: number): BootstrapResult {
  return { ok: false, message, syntax: { reason, offset }, fields: [], root: undefined };
}

/** Runs `read`, and returns its rejection as a result: Go, Java and Node.js stop at the first error. */
export function resultOf(root: JsonNode, read: () => Bootstrap): BootstrapResult {
  try {
    return { ok: true, bootstrap: read(), root };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { message, steps, reason } = error;
    return { ok: false, message, syntax: undefined, fields: [{ path: formatPath(steps), steps, reason }], root };
  }
}

import type { PathStep } from '../../base/problem.js';
import type { MessageView } from '../message-view.js';

/** A position in a resource. */
interface Place {
  readonly path: string;
  readonly steps: readonly PathStep[];
}

/** Ends the validation of a resource: grpc-go stops at the first error. */
export class Rejection extends Error {
  readonly path: string;
  readonly steps: readonly PathStep[];
  /** The innermost message, without the contexts that grpc-go adds. */
  readonly reason: string;

  constructor(message: string, { path, steps }: Place, reason = message) {
    super(message);
    this.path = path;
    this.steps = steps;
    this.reason = reason;
  }
}

/** Go recovers from a panic while it decodes a resource; the error then has no resource name. */
export class Panic extends Rejection {}

export const NIL_DEREFERENCE = 'runtime error: invalid memory address or nil pointer dereference';

/** Rejects the resource because of a part, or of one of its fields. */
export function reject(part: MessageView, message: string, field?: string): never {
  if (field === undefined) throw new Rejection(message, part);
  const path = part.path === '' ? field : `${part.path}.${field}`;
  throw new Rejection(message, { path, steps: [...part.steps, field] });
}

/** Adds the text of a context to the error of a part. */
export function within<T>(context: (message: string) => string, validate: () => T): T {
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof Rejection) || error instanceof Panic) throw error;
    throw new Rejection(context(error.message), error, error.reason);
  }
}

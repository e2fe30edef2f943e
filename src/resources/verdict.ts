import type { FieldError } from '../base/validation-errors.js';

/** A part of a resource that gRPC passes over without a word. */
export interface IgnoredPart {
  path: string;
  reason: string;
}

/** What gRPC makes of one decoded resource. */
export type Verdict<T> =
  | { ok: true; name: string; resource: T; ignored: IgnoredPart[] }
  /** `message` is C-core's, without the status code. */
  | { ok: false; name: string; message: string; problems: FieldError[]; ignored: IgnoredPart[] };

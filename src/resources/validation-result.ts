import type { PathStep } from '../base/problem.js';
import type { FieldError } from '../base/validation-errors.js';

/** The kind of an ignored part. */
export type IgnoredKind =
  | 'route'
  | 'locality'
  | 'endpoint'
  | 'filter chain'
  | 'HTTP filter'
  | 'LB policy'
  | 'weighted cluster'
  | 'hash policy'
  | 'plugin'
  | 'field';

/** A part of a resource that gRPC ignores without reporting it. */
export interface IgnoredPart {
  kind: IgnoredKind;
  path: string;
  steps: readonly PathStep[];
  reason: string;
}

/** A fact about a resource that users should know. It does not affect whether gRPC accepts the resource. */
export interface Remark {
  /**
   * `deviation`: a gRFC requires clients to reject this, and C-core accepts it. `unchecked`: the result depends on the
   * bootstrap, which is missing.
   */
  kind: 'deviation' | 'unchecked';
  path: string;
  steps: readonly PathStep[];
  reason: string;
}

/** The result of validating one decoded resource. */
export type ValidationResult<T> =
  | { ok: true; name: string; resource: T; ignored: IgnoredPart[]; remarks: Remark[] }
  /** `message` is C-core's message without the status code. */
  | {
      ok: false;
      name: string;
      message: string;
      problems: FieldError[];
      /** The resource in spite of the problems, for implementations that accept it; only with `keepsInvalidParts`. */
      despiteProblems?: T;
      ignored: IgnoredPart[];
      remarks: Remark[];
    };

import type { PathStep } from '../base/problem.js';
import type { FieldError } from '../base/validation-errors.js';

/** What kind of thing is passed over. */
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

/** A part of a resource that gRPC passes over without a word. */
export interface IgnoredPart {
  kind: IgnoredKind;
  path: string;
  steps: readonly PathStep[];
  reason: string;
}

/** What a person should know although it decides nothing. */
export interface Remark {
  /** `deviation`: a gRFC tells clients to refuse this and C-core takes it. `unchecked`: only a bootstrap could tell. */
  kind: 'deviation' | 'unchecked';
  path: string;
  steps: readonly PathStep[];
  reason: string;
}

/** What gRPC makes of one decoded resource. */
export type ValidationResult<T> =
  | { ok: true; name: string; resource: T; ignored: IgnoredPart[]; remarks: Remark[] }
  /** `message` is C-core's, without the status code. */
  | {
      ok: false;
      name: string;
      message: string;
      problems: FieldError[];
      ignored: IgnoredPart[];
      remarks: Remark[];
    };

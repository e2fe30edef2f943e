import type { FieldError } from '../base/validation-errors.js';
import type { Decision, Implementation } from './note.js';
import type { NoteCode } from './rules/titles.js';
import { problemsOf, type Subject } from './subject.js';

/** Where a rule applies. */
export interface RulePlace {
  path: string;
  /** The problem that C-core has there and others do not. */
  problem?: FieldError;
  /** What exactly is there, if the title does not tell. */
  detail?: string;
}

/**
 * A way in which others differ from C-core: `rejects` and `aborts` are about what C-core takes, `accepts` about a
 * problem that C-core has and they do not.
 */
export interface Rule {
  /** Its title is in rules/titles.ts. */
  code: NoteCode;
  who: Partial<Record<Implementation, Decision>>;
  when: (subject: Subject) => readonly RulePlace[];
}

type ProblemTest = (problem: FieldError, subject: Subject) => boolean;

/**
 * Problems of C-core whose path has this shape: indexes, keys and type names are left out, and so is the way to an
 * HttpConnectionManager (`hcm`) and to the routes in it, since others treat those alike wherever they stand.
 */
export function problems(shape: RegExp, reason?: RegExp, test: ProblemTest = () => true): Rule['when'] {
  return (subject) =>
    problemsOf(subject)
      .filter((problem) => shape.test(shapeOf(problem.path)) && (reason?.test(problem.reason) ?? true))
      .filter((problem) => test(problem, subject))
      .map((problem) => ({ path: problem.path, problem }));
}

/** `virtual_hosts[].routes[].match`, `hcm.http_filters[].name`. */
function shapeOf(path: string): string {
  return path
    .replace(/\[[^\]]*\]/g, '[]')
    .replace(
      /^(api_listener\.api_listener|(default_filter_chain|filter_chains\[\])\.filters\[\]\.typed_config)\.value\[\]/,
      'hcm',
    )
    .replace(/^hcm\.route_config\./, '');
}

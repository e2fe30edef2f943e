import type { FieldError } from '../base/validation-errors.js';
import type { Decision, Implementation } from './note.js';
import type { NoteCode } from './rules/titles.js';
import { problemsOf, type Subject } from './subject.js';

/** A place in a resource to which a rule applies. */
export interface RulePlace {
  path: string;
  /** The problem that C-core reports there and other implementations do not. */
  problem?: FieldError;
  /** Details that the title of the rule does not contain. */
  detail?: string;
}

/**
 * A difference between other implementations and C-core. `rejects` and `aborts` are about resources that C-core
 * accepts. `accepts` is about a problem that only C-core reports.
 */
export interface Rule {
  /** The code of the note. Its title is in rules/titles.ts. */
  code: NoteCode;
  who: Partial<Record<Implementation, Decision>>;
  when: (subject: Subject) => readonly RulePlace[];
}

type ProblemTest = (problem: FieldError, subject: Subject) => boolean;

/**
 * Matches C-core's problems by the shape of their path. The shape omits indexes, keys and type names. It also omits the
 * path to an HttpConnectionManager (`hcm`) and to its routes, because other implementations treat these alike
 * everywhere.
 */
export function problems(shape: RegExp, reason?: RegExp, test: ProblemTest = () => true): Rule['when'] {
  return (subject) =>
    problemsOf(subject)
      .filter((problem) => shape.test(shapeOf(problem.path)) && (reason?.test(problem.reason) ?? true))
      .filter((problem) => test(problem, subject))
      .map((problem) => ({ path: problem.path, problem }));
}

/** Returns the shape of a path: `virtual_hosts[].routes[].match`, `hcm.http_filters[].name`. */
function shapeOf(path: string): string {
  return path
    .replace(/\[[^\]]*\]/g, '[]')
    .replace(
      /^(api_listener\.api_listener|(default_filter_chain|filter_chains\[\])\.filters\[\]\.typed_config)\.value\[\]/,
      'hcm',
    )
    .replace(/^hcm\.route_config\./, '');
}

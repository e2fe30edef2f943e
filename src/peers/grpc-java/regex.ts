import { re2Error } from '../../resources/regex/re2-syntax.js';
import { JavaError } from './java-error.js';

/** RE2/J's words for the errors of RE2. */
const WORDS: Record<string, string> = {
  'missing ]': 'missing closing ]',
  'missing )': 'missing closing )',
  'unexpected )': 'missing closing )',
  'trailing \\': 'trailing backslash at end of expression',
  'no argument for repetition operator': 'missing argument to repetition operator',
  'invalid repetition size': 'invalid repeat count',
  'bad repetition operator': 'invalid nested repetition operator',
  'invalid perl operator': 'invalid or unsupported Perl syntax',
  'invalid named capture group': 'invalid named capture',
};

/** Checks a regular expression as RE2/J does, which has no limit for the size of its programs. */
export function compileRegex(pattern: string): void {
  const error = re2Error(pattern);
  if (error === undefined || error.startsWith('pattern too large')) return;
  const colon = error.indexOf(': ');
  const reason = colon < 0 ? error : error.slice(0, colon);
  const part = colon < 0 ? '' : error.slice(colon + 2);
  throw new JavaError('pattern', `error parsing regexp: ${WORDS[reason] ?? reason}: \`${part}\``);
}

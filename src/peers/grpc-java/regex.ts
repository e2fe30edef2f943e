import { JavaError } from './java-error.js';
import { re2jError } from './re2j-syntax.js';

/** Checks a regular expression as RE2/J does. */
export function compileRegex(pattern: string): void {
  const error = re2jError(pattern);
  if (error !== undefined) throw new JavaError('pattern', error);
}

import { re2Error } from '../../resources/regex/re2-syntax.js';

/** Returns an error if Go rejects a regular expression; `undefined` if it accepts it. */
export function goRegexError(pattern: string): string | undefined {
  return re2Error(pattern);
}

/** The message of Go's regexp package for an error of RE2, which has the same words. */
export function regexErrorText(error: string): string {
  return error;
}

import { REDACTED } from '../../base/secret-name.js';
import type { StringMatcher as StringMatcherMessage } from '../../proto/generated/envoy.type.matcher.v3.js';
import type { StringMatcher as XdsStringMatcherMessage } from '../../proto/generated/xds.type.matcher.v3.js';
import { re2Error } from '../regex/re2-syntax.js';
import type { Validation } from '../validation.js';

/** A condition on a string. */
export interface StringMatcher {
  kind: 'exact' | 'prefix' | 'suffix' | 'contains' | 'regex';
  text: string;
  ignoreCase: boolean;
}

export function readStringMatcher(
  message: StringMatcherMessage | XdsStringMatcherMessage | undefined,
  validation: Validation,
  isSecret = false,
): StringMatcher | undefined {
  if (message === undefined) return validation.addError('field not present');
  const { matchPattern: pattern, ignoreCase } = message;
  if (pattern === undefined || pattern.kind === 'custom') return validation.addError('invalid string matcher');
  if (pattern.kind !== 'safeRegex') return { kind: pattern.kind, text: pattern.value, ignoreCase };
  const text = readRegex(pattern.value.regex, '', validation, isSecret);
  // If the pattern is invalid, C-core does not check ignore_case.
  if (text !== undefined && ignoreCase) validation.addFieldError('ignore_case', 'not supported for regex matcher');
  return text === undefined ? undefined : { kind: 'regex', text, ignoreCase };
}

/**
 * Reads a pattern and adds RE2's error if it is invalid, with `context` in front of the message. The error quotes a part
 * of the pattern. It is in the NACK and in every output, so a secret is not quoted.
 */
export function readRegex(text: string, context: string, validation: Validation, isSecret = false): string | undefined {
  const error = isSecret ? re2Error(text)?.replace(/(: ).*/s, `$1${REDACTED}`) : re2Error(text);
  return error === undefined
    ? text
    : validation.addError(`${context}Invalid regex string specified in matcher: ${error}`);
}

import type { StringMatcher as StringMatcherMessage } from '../../proto/generated/envoy.type.matcher.v3.js';
import type { StringMatcher as XdsStringMatcherMessage } from '../../proto/generated/xds.type.matcher.v3.js';
import type { Judgement } from '../judgement.js';
import { re2Error } from '../regex/re2-syntax.js';

/** What a text has to look like. */
export interface StringMatcher {
  kind: 'exact' | 'prefix' | 'suffix' | 'contains' | 'regex';
  text: string;
  ignoreCase: boolean;
}

export function readStringMatcher(
  message: StringMatcherMessage | XdsStringMatcherMessage | undefined,
  j: Judgement,
): StringMatcher | undefined {
  if (message === undefined) return j.refuse('field not present');
  const { matchPattern: pattern, ignoreCase } = message;
  if (pattern === undefined || pattern.kind === 'custom') return j.refuse('invalid string matcher');
  if (pattern.kind !== 'safeRegex') return { kind: pattern.kind, text: pattern.value, ignoreCase };
  const text = readRegex(pattern.value.regex, '', j);
  // A bad pattern hides the other problem.
  if (text !== undefined && ignoreCase) j.refuseField('ignore_case', 'not supported for regex matcher');
  return text === undefined ? undefined : { kind: 'regex', text, ignoreCase };
}

/** A pattern that RE2 takes. `context` goes before what is wrong with it. */
export function readRegex(text: string, context: string, j: Judgement): string | undefined {
  const error = re2Error(text);
  return error === undefined ? text : j.refuse(`${context}Invalid regex string specified in matcher: ${error}`);
}

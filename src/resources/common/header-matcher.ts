import type { HeaderMatcher as HeaderMatcherMessage } from '../../proto/generated/envoy.config.route.v3.js';
import type { Judgement } from '../judgement.js';
import { readRegex, readStringMatcher, type StringMatcher } from './string-matcher.js';

/** What a header has to look like. */
export interface HeaderMatcher {
  name: string;
  invert: boolean;
  match: StringMatcher | { kind: 'range'; start: bigint; end: bigint } | { kind: 'present'; present: boolean };
}

const TEXT_KINDS = {
  exactMatch: 'exact',
  prefixMatch: 'prefix',
  suffixMatch: 'suffix',
  containsMatch: 'contains',
} as const;

export function readHeaderMatcher(message: HeaderMatcherMessage, j: Judgement): HeaderMatcher | undefined {
  const match = readMatch(message, j);
  return match && { name: message.name, invert: message.invertMatch, match };
}

function readMatch(
  { headerMatchSpecifier: specifier }: HeaderMatcherMessage,
  j: Judgement,
): HeaderMatcher['match'] | undefined {
  if (specifier === undefined) return j.refuse('invalid header matcher');
  switch (specifier.kind) {
    case 'stringMatch':
      return j.field('string_match', () => readStringMatcher(specifier.value, j));
    case 'safeRegexMatch': {
      const text = readRegex(specifier.value.regex, 'cannot create header matcher: ', j);
      return text === undefined ? undefined : { kind: 'regex', text, ignoreCase: false };
    }
    case 'rangeMatch':
      if (specifier.value.start > specifier.value.end) {
        return j.refuse(
          'cannot create header matcher: Invalid range specifier specified: end cannot be smaller than start.',
        );
      }
      return { kind: 'range', ...specifier.value };
    case 'presentMatch':
      return { kind: 'present', present: specifier.value };
    default:
      return { kind: TEXT_KINDS[specifier.kind], text: specifier.value, ignoreCase: false };
  }
}

import { isSecretName } from '../../base/secret-name.js';
import type { HeaderMatcher as HeaderMatcherMessage } from '../../proto/generated/envoy.config.route.v3.js';
import type { Validation } from '../validation.js';
import { readRegex, readStringMatcher, type StringMatcher } from './string-matcher.js';

/** A condition on the value of a header. */
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

export function readHeaderMatcher(message: HeaderMatcherMessage, validation: Validation): HeaderMatcher | undefined {
  const match = readMatch(message, validation);
  return match && { name: message.name, invert: message.invertMatch, match };
}

function readMatch(
  { name, headerMatchSpecifier: specifier }: HeaderMatcherMessage,
  validation: Validation,
): HeaderMatcher['match'] | undefined {
  if (specifier === undefined) return validation.addError('invalid header matcher');
  switch (specifier.kind) {
    case 'stringMatch':
      return validation.field('string_match', () => readStringMatcher(specifier.value, validation, isSecretName(name)));
    case 'safeRegexMatch': {
      const text = readRegex(specifier.value.regex, 'cannot create header matcher: ', validation, isSecretName(name));
      return text === undefined ? undefined : { kind: 'regex', text, ignoreCase: false };
    }
    case 'rangeMatch':
      if (specifier.value.start > specifier.value.end) {
        return validation.addError(
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

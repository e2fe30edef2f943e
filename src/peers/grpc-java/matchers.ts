import { illegalArgument, JavaError, within } from './java-error.js';
import { oneofCase, type ProtoMessage } from './proto-message.js';
import { compileRegex } from './regex.js';

export function checkHeaderMatcher(matcher: ProtoMessage): void {
  switch (matcher.memberOf('exact_match')) {
    case 'safe_regex_match':
      checkHeaderRegex(matcher);
      return;
    case 'string_match':
      within(['string_match'], () => checkStringMatcher(matcher.message('string_match')));
      return;
    case 'exact_match':
    case 'range_match':
    case 'present_match':
    case 'prefix_match':
    case 'suffix_match':
    case 'contains_match':
      return;
    default:
      illegalArgument(
        `Unknown header matcher type: ${oneofCase(matcher, 'exact_match', 'HEADERMATCHSPECIFIER_NOT_SET')}`,
      );
  }
}

function checkHeaderRegex(matcher: ProtoMessage): void {
  within(['safe_regex_match', 'regex'], () => {
    try {
      compileRegex(matcher.message('safe_regex_match').string('regex'));
    } catch (error) {
      if (!(error instanceof JavaError)) throw error;
      illegalArgument(
        `HeaderMatcher [${matcher.string('name')}] contains malformed safe regex pattern: ${error.detail}`,
      );
    }
  });
}

export function checkStringMatcher(matcher: ProtoMessage): void {
  switch (matcher.memberOf('exact')) {
    case 'safe_regex':
      within(['safe_regex', 'regex'], () => compileRegex(matcher.message('safe_regex').string('regex')));
      return;
    case 'exact':
    case 'prefix':
    case 'suffix':
    case 'contains':
      return;
    default:
      illegalArgument(`Unknown StringMatcher match pattern: ${oneofCase(matcher, 'exact', 'MATCHPATTERN_NOT_SET')}`);
  }
}

/** Checks the fraction of a route or a fault. */
export function checkFraction(fraction: ProtoMessage): void {
  const denominator = fraction.enumName('denominator');
  if (denominator === 'UNRECOGNIZED') illegalArgument(`Unknown denominator type: ${denominator}`);
}

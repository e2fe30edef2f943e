import type { RouteMatch as RouteMatchMessage } from '../proto/generated/envoy.config.route.v3.js';
import { isKnownDenominator, perMillion } from './common/fraction.js';
import { type HeaderMatcher, readHeaderMatcher } from './common/header-matcher.js';
import { readRegex } from './common/string-matcher.js';
import type { Validation } from './validation.js';

/** The conditions under which a route matches an RPC. */
export interface RouteMatch {
  path: PathMatch;
  headers: (HeaderMatcher | undefined)[];
  /** The share of the matching RPCs that the route applies to, in millionths. */
  fraction: number | undefined;
}

type PathMatch = { kind: 'prefix' | 'path'; text: string; caseSensitive: boolean } | { kind: 'regex'; text: string };

/**
 * Reads a match. Returns `undefined` if C-core rejects or ignores the route because of its path; C-core reads nothing
 * else then.
 */
export function readRouteMatch(message: RouteMatchMessage, validation: Validation): RouteMatch | undefined {
  if (message.queryParameters.length > 0) {
    return validation.ignore('route', 'gRPC requests have no query parameters: gRPC skips the route');
  }
  const path = readPath(message, validation);
  if (path === undefined) return undefined;
  return {
    path,
    headers: validation.items('headers', message.headers, (header) => readHeaderMatcher(header, validation)),
    fraction: readFraction(message, validation),
  };
}

function readPath({ pathSpecifier: specifier, caseSensitive = true }: RouteMatchMessage, validation: Validation) {
  switch (specifier?.kind) {
    case 'prefix':
    case 'path': {
      const { kind, value: text } = specifier;
      const problem = kind === 'prefix' ? prefixProblem(text) : pathProblem(text);
      if (problem === undefined) return { kind, text, caseSensitive } satisfies PathMatch;
      return validation.ignore('route', `${kind} "${text}" ${problem}: gRPC skips the route`);
    }
    case 'safeRegex': {
      const text = readRegex(specifier.value.regex, 'error creating path matcher: ', validation);
      return text === undefined ? undefined : ({ kind: 'regex', text } satisfies PathMatch);
    }
    default:
      return validation.addError('invalid path specifier');
  }
}

/** Returns the reason why no gRPC path (`/service/method`) has the prefix, if there is one. */
function prefixProblem(prefix: string): string | undefined {
  if (prefix === '') return undefined;
  if (!prefix.startsWith('/')) return 'does not begin with a slash, so no method matches';
  const parts = prefix.slice(1).split('/');
  if (parts.length > 2) return 'has more than two slashes, so no method matches';
  return parts.length === 2 && parts[0] === '' ? 'has an empty service, so no method matches' : undefined;
}

function pathProblem(path: string): string | undefined {
  return /^\/[^/]+\/[^/]+$/.test(path) ? undefined : 'is not of the form /service/method, so no method matches';
}

function readFraction({ runtimeFraction }: RouteMatchMessage, validation: Validation): number | undefined {
  const share = runtimeFraction?.defaultValue;
  if (share === undefined) return undefined;
  if (!isKnownDenominator(share.denominator)) {
    validation.segment(
      '.runtime_fraction.default_value.denominator',
      ['runtime_fraction', 'default_value', 'denominator'],
      () => validation.addError('unknown denominator type'),
    );
  }
  return perMillion(share);
}

import { shownValue } from '../base/secret-name.js';
import type { HeaderMatcher } from './common/header-matcher.js';
import type { RouteMatch } from './route-match.js';

const PERCENT = 10_000;

/** Describes the RPCs that a route matches. Values of headers with credentials are redacted, so compare matches, not texts. */
export function matchText({ path, headers, fraction }: RouteMatch): string {
  const parts = [pathText(path), ...headers.flatMap((header) => (header === undefined ? [] : [headerText(header)]))];
  if (fraction !== undefined) parts.push(`${fraction / PERCENT} % of RPCs`);
  return parts.join(' and ');
}

export function pathText(path: RouteMatch['path']): string {
  if (path.kind === 'regex') return `path matches ${path.text}`;
  if (path.kind === 'prefix' && (path.text === '' || path.text === '/')) return 'any path';
  return `${path.kind} ${path.text}${path.caseSensitive ? '' : ' (any case)'}`;
}

export function headerText({ name, invert, match }: HeaderMatcher): string {
  if (match.kind === 'present') return `header ${name} is ${match.present === invert ? 'absent' : 'present'}`;
  const not = invert ? 'not ' : '';
  if (match.kind === 'range') return `header ${name} ${not}from ${match.start} to below ${match.end}`;
  const operator = { exact: '=', prefix: 'begins with', suffix: 'ends with', contains: 'contains', regex: 'matches' }[
    match.kind
  ];
  return `header ${name} ${not}${operator} ${shownValue(name, match.text)}${match.ignoreCase ? ' (any case)' : ''}`;
}

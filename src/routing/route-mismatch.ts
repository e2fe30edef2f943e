import { shownValue } from '../base/secret-name.js';
import { headerText, pathText } from '../resources/match-text.js';
import type { RouteMatch } from '../resources/route-match.js';
import { type Call, headerValue, matchesHeader, matchesPath } from './match.js';

/** The first reason why a route does not match a call; undefined if it matches. */
export function routeMismatch({ path, headers, fraction }: RouteMatch, call: Call): string | undefined {
  if (!matchesPath(path, call.path)) return `${pathText(path)} does not match ${call.path}`;
  for (const header of headers) {
    if (header === undefined || matchesHeader(header, call)) continue;
    const value = headerValue(header.name, call);
    return value === undefined
      ? `header ${header.name} is absent`
      : `${headerText(header)} does not match: it is ${shownValue(header.name, value)}`;
  }
  return fraction === 0 ? 'it matches 0 % of RPCs' : undefined;
}

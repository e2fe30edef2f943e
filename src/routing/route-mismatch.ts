import { headerText, pathText } from '../resources/match-text.js';
import type { RouteMatch } from '../resources/route-match.js';
import { type Call, headerValue, matchesHeader, matchesPath } from './match.js';

/** Why a route does not take a call: the first thing that does not fit; undefined where everything does. */
export function routeMismatch({ path, headers, fraction }: RouteMatch, call: Call): string | undefined {
  if (!matchesPath(path, call.path)) return `${pathText(path)} does not match ${call.path}`;
  for (const header of headers) {
    if (header === undefined || matchesHeader(header, call)) continue;
    const value = headerValue(header.name, call);
    return value === undefined
      ? `header ${header.name} is absent`
      : `${headerText(header)} does not hold: it is ${value}`;
  }
  return fraction === 0 ? 'it takes 0 % of RPCs' : undefined;
}

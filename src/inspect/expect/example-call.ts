import { isSecretName } from '../../base/secret-name.js';
import type { HeaderMatcher } from '../../resources/common/header-matcher.js';
import type { RouteMatch } from '../../resources/route-match.js';
import { type Call, matchesPath, matchesValue } from '../../routing/match.js';
import { routeMismatch } from '../../routing/route-mismatch.js';
import type { Route } from '../single-route.js';

const MILLION = 1_000_000;
const METHOD = /^\/[^/]+\/[^/]+$/;
/** For routes that match any method of a service. */
const ANY_METHOD = 'AnyMethod';
/** Header names that an expectations file accepts. */
const HEADER = /^[0-9a-z_.-]+$/;

/** Finds an RPC that reaches a route of a virtual host; undefined if it finds none. */
export function exampleCall(routes: readonly Route[], route: Route): Call | undefined {
  const metadata = headersFor(route.match);
  if (metadata === undefined) return undefined;
  return pathsFor(route.match.path)
    .map((path) => ({ path, metadata }))
    .find((call) => reaches(routes, route, call));
}

/** Whether no earlier route always matches such an RPC. */
function reaches(routes: readonly Route[], route: Route, call: Call): boolean {
  if (routeMismatch(route.match, call) !== undefined) return false;
  const taking = routes.find(
    ({ match }) => routeMismatch(match, call) === undefined && (match.fraction ?? MILLION) >= MILLION,
  );
  return taking === undefined || routes.indexOf(taking) >= routes.indexOf(route);
}

/** Candidate methods for a path matcher. `/` stands for any method; only routes for every path match it. */
function pathsFor(path: RouteMatch['path']): string[] {
  const { text } = path;
  if (path.kind === 'prefix' && (text === '' || text === '/')) return ['/', `/any.Service/${ANY_METHOD}`];
  const plain = path.kind === 'regex' ? withoutWildcards(text) : text;
  const methods = [plain, `${plain}${ANY_METHOD}`, `${plain}/${ANY_METHOD}`];
  return methods.filter((method) => METHOD.test(method) && matchesPath(path, method));
}

/** Replaces common wildcards of a regular expression with a word. */
function withoutWildcards(pattern: string): string {
  return pattern
    .replace(/^\^|\$$/g, '')
    .replace(/(?:\.|\[\^\/\]|\\w)[*+]/g, ANY_METHOD)
    .replace(/\\([./])/g, '$1');
}

/** A value for each required header; undefined if no value is found for one, or if it is secret: the file would contain it. */
function headersFor({ headers }: RouteMatch): [string, string][] | undefined {
  const byName = new Map<string, HeaderMatcher[]>();
  for (const header of headers) if (header) byName.set(header.name, [...(byName.get(header.name) ?? []), header]);
  const metadata: [string, string][] = [];
  for (const [name, matchers] of byName) {
    const suits = (value: string | undefined): boolean => matchers.every((one) => matchesValue(one, value));
    // gRPC sets this header itself.
    if (suits(undefined) || name === 'content-type') continue;
    const value = matchers.flatMap(valuesFor).find(suits);
    if (value === undefined || !HEADER.test(name) || isSecretName(name)) return undefined;
    metadata.push([name, value]);
  }
  return metadata;
}

/** Candidate values for a header matcher or its inversion. */
function valuesFor({ match }: HeaderMatcher): string[] {
  if (match.kind === 'present') return ['any'];
  if (match.kind === 'range') return [String(match.start), String(match.end)];
  return [match.text, withoutWildcards(match.text), `other-${match.text}`];
}

import type { VirtualHost } from '../deps/config.js';
import type { HeaderMatcher } from '../resources/common/header-matcher.js';
import type { StringMatcher } from '../resources/common/string-matcher.js';
import type { RouteMatch } from '../resources/route-match.js';
import { fullMatch } from './regex.js';

/** An RPC as routes see it. */
export interface Call {
  /** `/service/method` */
  path: string;
  /** In order; a name may occur several times. */
  metadata: readonly (readonly [name: string, value: string])[];
}

type Route = VirtualHost['routes'][number];

const MILLION = 1_000_000;

/** The first route that matches the call (A28). `random` returns numbers in [0, 1); it is called only if the rest matches. */
export function findRoute({ routes }: VirtualHost, call: Call, random: () => number): Route | undefined {
  return routes.find(({ match }) => matches(match, call, random));
}

function matches({ path, headers, fraction }: RouteMatch, call: Call, random: () => number): boolean {
  if (!matchesPath(path, call.path)) return false;
  if (!headers.every((header) => header === undefined || matchesHeader(header, call))) return false;
  return fraction === undefined || random() * MILLION < fraction;
}

export function matchesPath(match: RouteMatch['path'], path: string): boolean {
  if (match.kind === 'regex') return fullMatch(match.text, path) === true;
  const [text, subject] = match.caseSensitive ? [match.text, path] : [lower(match.text), lower(path)];
  return match.kind === 'prefix' ? subject.startsWith(text) : subject === text;
}

export function matchesHeader(header: HeaderMatcher, call: Call): boolean {
  return matchesValue(header, headerValue(header.name, call));
}

/** Whether a header value matches; `undefined` if the header is absent. */
export function matchesValue({ invert, match }: HeaderMatcher, value: string | undefined): boolean {
  if (match.kind === 'present') return ((value !== undefined) === match.present) !== invert;
  // An absent header does not match, not even an inverted matcher.
  if (value === undefined) return false;
  const isMatch = match.kind === 'range' ? isInRange(value, match.start, match.end) : matchesText(match, value);
  return isMatch !== invert;
}

/** The value that routes see: several values are joined; binary headers, and headers that gRPC adds later, are absent. */
export function headerValue(name: string, { path, metadata }: Call): string | undefined {
  if (name.endsWith('-bin')) return undefined;
  if (name === 'content-type') return 'application/grpc';
  if (name === ':path') return path;
  if (name === 'user-agent') return undefined;
  const values = metadata.filter(([key]) => key === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(',');
}

export function matchesText({ kind, text, ignoreCase }: StringMatcher, value: string): boolean {
  if (kind === 'regex') return fullMatch(text, value) === true;
  const [pattern, subject] = ignoreCase ? [lower(text), lower(value)] : [text, value];
  if (kind === 'exact') return subject === pattern;
  if (kind === 'prefix') return subject.startsWith(pattern);
  return kind === 'suffix' ? subject.endsWith(pattern) : subject.includes(pattern);
}

const INTEGER = /^\s*([+-]?)(\d+)\s*$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** Whether the value is a decimal 64-bit integer in the range; spaces around it are allowed. */
function isInRange(value: string, start: bigint, end: bigint): boolean {
  const [, sign, digits] = INTEGER.exec(value) ?? [];
  if (digits === undefined) return false;
  const number = sign === '-' ? -BigInt(digits) : BigInt(digits);
  return number >= MIN_INT64 && number <= MAX_INT64 && start <= number && number < end;
}

/** Folds only ASCII letters, as C-core does. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

import type { VirtualHost } from '../deps/config.js';
import type { HeaderMatcher } from '../resources/common/header-matcher.js';
import type { StringMatcher } from '../resources/common/string-matcher.js';
import type { RouteMatch } from '../resources/route-match.js';
import { fullMatch } from './regex.js';

/** An RPC as routes see it. */
export interface Call {
  /** `/service/method` */
  path: string;
  /** In order; a name may come several times. */
  metadata: readonly (readonly [name: string, value: string])[];
}

type Route = VirtualHost['routes'][number];

const MILLION = 1_000_000;

/** The first route that takes the call (A28). `random` gives numbers in [0, 1), drawn only where all else matches. */
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

/** `undefined`: the header is not there. */
export function matchesValue({ invert, match }: HeaderMatcher, value: string | undefined): boolean {
  if (match.kind === 'present') return ((value !== undefined) === match.present) !== invert;
  // A header that is not there matches nothing, not even the opposite.
  if (value === undefined) return false;
  const isMatch = match.kind === 'range' ? isInRange(value, match.start, match.end) : matchesText(match, value);
  return isMatch !== invert;
}

/** Several values are one text; binary headers are never seen, and what gRPC adds later is not there yet. */
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

/** A decimal number of 64 bits, spaces around it allowed. */
function isInRange(value: string, start: bigint, end: bigint): boolean {
  const [, sign, digits] = INTEGER.exec(value) ?? [];
  if (digits === undefined) return false;
  const number = sign === '-' ? -BigInt(digits) : BigInt(digits);
  return number >= MIN_INT64 && number <= MAX_INT64 && start <= number && number < end;
}

/** ASCII only, as RE2's and C-core's case folding here. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

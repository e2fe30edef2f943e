import type { RouteMatch } from '../../resources/route-match.js';
import type { Route } from '../single-route.js';

const MILLION = 1_000_000;

/** Whether a route matches every RPC. */
export function matchesEverything({ path, headers, fraction }: RouteMatch): boolean {
  return isAnyPath(path) && headers.length === 0 && isAlways(fraction);
}

/** The routes that no RPC can reach: their fraction is 0, or earlier routes match all of their RPCs. */
export function shadowedRoutes(routes: readonly Route[]): ReadonlySet<Route> {
  const earlier = new Map<string, PathCover>();
  const shadowed = new Set<Route>();
  for (const route of routes) {
    const { path, headers, fraction } = route.match;
    const key = JSON.stringify(headers, bigIntsAsText);
    // A route without header matchers also takes the RPCs that match these headers.
    const isCovered = earlier.get(key)?.covers(path) === true || earlier.get('[]')?.covers(path) === true;
    if (fraction === 0 || isCovered) shadowed.add(route);
    else if (isAlways(fraction)) {
      const cover = earlier.get(key) ?? new PathCover();
      earlier.set(key, cover);
      cover.add(path);
    }
  }
  return shadowed;
}

/** Range matchers have BigInts, which JSON lacks. */
function bigIntsAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** The paths that some routes match. The cost of a lookup grows with the number of distinct prefix lengths, not of routes. */
class PathCover {
  #isEverything = false;
  readonly #texts = new Set<string>();
  readonly #prefixLengths = new Set<number>();

  add(path: RouteMatch['path']): void {
    if (isAnyPath(path)) this.#isEverything = true;
    else this.#texts.add(keyOf(path));
    if (path.kind === 'prefix') this.#prefixLengths.add(path.text.length);
  }

  covers(path: RouteMatch['path']): boolean {
    if (this.#isEverything || this.#texts.has(keyOf(path))) return true;
    if (path.kind === 'regex') return false;
    const folded = path.text.toLowerCase();
    for (const end of this.#prefixLengths) {
      if (end > path.text.length) continue;
      if (path.caseSensitive && this.#texts.has(prefixKey(path.text.slice(0, end), true))) return true;
      if (this.#texts.has(prefixKey(folded.slice(0, end), false))) return true;
    }
    return path.kind === 'path' && this.#texts.has(`path i ${folded}`);
  }
}

/** Every gRPC path begins with a slash. */
function isAnyPath(path: RouteMatch['path']): boolean {
  if (path.kind === 'regex') return path.text === '.*' || path.text === '/.*';
  return path.kind === 'prefix' && (path.text === '' || path.text === '/');
}

function keyOf(path: RouteMatch['path']): string {
  if (path.kind === 'regex') return `regex ${path.text}`;
  const text = path.caseSensitive ? path.text : path.text.toLowerCase();
  return path.kind === 'prefix'
    ? prefixKey(text, path.caseSensitive)
    : `path ${path.caseSensitive ? 's' : 'i'} ${text}`;
}

function prefixKey(text: string, isCaseSensitive: boolean): string {
  return `prefix ${isCaseSensitive ? 's' : 'i'} ${text}`;
}

function isAlways(fraction: number | undefined): boolean {
  return fraction === undefined || fraction >= MILLION;
}

import type { RouteMatch } from '../../resources/route-match.js';
import type { Route } from '../single-route.js';

const MILLION = 1_000_000;

/** Whether a route matches every RPC. */
export function matchesEverything({ path, headers, fraction }: RouteMatch): boolean {
  return isAnyPath(path) && headers.length === 0 && isAlways(fraction);
}

/** Whether no RPC can reach a route, for each route: its fraction is 0, or earlier routes match all of its RPCs. */
export function shadowedRoutes(routes: readonly Route[]): boolean[] {
  const earlier = new Map<string, PathCover>();
  return routes.map(({ match: { path, headers, fraction } }) => {
    const key = headers.length === 0 ? '[]' : JSON.stringify(headers, bigIntsAsText);
    // A route without header matchers also takes the RPCs that match these headers.
    const isCovered = earlier.get(key)?.covers(path) === true || earlier.get('[]')?.covers(path) === true;
    if (fraction === 0 || isCovered) return true;
    if (isAlways(fraction)) {
      const cover = earlier.get(key) ?? new PathCover();
      earlier.set(key, cover);
      cover.add(path);
    }
    return false;
  });
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

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The parts of a request that decide whether it is answered. */
export interface GuardedRequest {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

/** A path below the token, or the status that rejects a request. */
export type Guarded = { path: string; query: URLSearchParams } | { status: 403 | 404 | 405 };

/** Loopback names. The port may be another one: `ssh -L` can forward any local port. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Checks a request. The names of the host keep out web sites that let their own name resolve to 127.0.0.1 (DNS
 * rebinding), `Origin` and `Sec-Fetch-Site` other web sites in the same browser, the token other users of the machine.
 */
export function guardRequest({ method, url = '', headers }: GuardedRequest, token: string): Guarded {
  const { host = '', origin } = headers;
  if (!LOOPBACK.test(host)) return { status: 403 };
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) return { status: 403 };
  const [, given = '', path, query = ''] = /^\/([^/?]*)\/([^?]*)(?:\?(.*))?$/.exec(url) ?? [];
  if (path === undefined || !isSame(given, token)) return { status: 404 };
  // A link on another web site may open the page itself.
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  if (!isOwn && (path !== '' || headers['sec-fetch-mode'] !== 'navigate')) return { status: 403 };
  if (method !== 'GET' && method !== 'HEAD') return { status: 405 };
  return { path, query: new URLSearchParams(query) };
}

/** Takes the same time for every token of the right length. */
function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

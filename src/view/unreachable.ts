import { formatMillis } from '../base/duration.js';
import { hasLostAuthority } from '../engine/lost.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import { lostServers } from '../inspect/lost-server.js';

/** No server has sent anything about any resource. */
export function isUnanswered(scopes: readonly ScopeSnapshot[]): boolean {
  return scopes.every(({ entries }) => entries.every(({ status }) => status === 'REQUESTED'));
}

/** Nothing was ever received, and no server is left that could send it. */
export function isWithoutServer(scopes: readonly ScopeSnapshot[]): boolean {
  return isUnanswered(scopes) && scopes.every(hasLostAuthority);
}

/** Which servers cannot be used, or have sent nothing, each once. */
export function unreachableSentences(scopes: readonly ScopeSnapshot[], waitedMs: number): string[] {
  const lost = new Set(scopes.flatMap(lostServers));
  if (lost.size > 0 || !isUnanswered(scopes)) return [...lost];
  const active = scopes.flatMap(({ authorities }) =>
    authorities.flatMap(({ servers }) => servers.flatMap(({ uri, isActive }) => (isActive ? [uri] : []))),
  );
  return [...new Set(active)].map(
    (uri) =>
      `The control plane ${uri} has sent nothing of what was asked for within ${formatMillis(waitedMs)}: does it speak xDS on this port, and know this node?`,
  );
}

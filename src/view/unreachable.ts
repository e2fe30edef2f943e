import { formatMillis } from '../base/duration.js';
import { lostServers } from '../inspect/lost-server.js';
import { isUnanswered, type Seen } from '../inspect/seen.js';

/** Which servers cannot be used, or have sent nothing, each once. */
export function unreachableSentences({ snapshot: scopes, waitedMs }: Pick<Seen, 'snapshot' | 'waitedMs'>): string[] {
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

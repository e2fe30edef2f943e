import type { ScopeSnapshot } from './scope.js';

/** A server in a snapshot, or in a document that shows one. */
type Server = { failure: object | undefined } | { error: string | null };

/** Whether every server is unreachable or does not respond. */
export function isEveryServerDown(servers: readonly Server[]): boolean {
  return servers.length > 0 && servers.every(isDown);
}

function isDown(server: Server): boolean {
  return 'error' in server ? server.error !== null : server.failure !== undefined;
}

export function isLost({ servers }: ScopeSnapshot['authorities'][number]): boolean {
  return isEveryServerDown(servers);
}

/** Whether the client_scope uses an authority without a reachable server. */
export function hasLostAuthority({ authorities }: ScopeSnapshot): boolean {
  return authorities.some(isLost);
}

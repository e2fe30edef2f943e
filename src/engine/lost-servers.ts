import type { ScopeSnapshot } from './scope.js';

/** A server of a snapshot, or of a view of one. */
type Server = { failure: object | undefined } | { error: string | null };

/** Every server is unreachable or does not respond. */
export function isEveryServerDown(servers: readonly Server[]): boolean {
  return servers.length > 0 && servers.every(isDown);
}

function isDown(server: Server): boolean {
  return 'error' in server ? server.error !== null : server.failure !== undefined;
}

export function isLost({ servers }: ScopeSnapshot['authorities'][number]): boolean {
  return isEveryServerDown(servers);
}

/** The scope depends on an authority without a reachable server. */
export function hasLostAuthority({ authorities }: ScopeSnapshot): boolean {
  return authorities.some(isLost);
}

import type { ScopeSnapshot } from './scope.js';

type Authority = ScopeSnapshot['authorities'][number];

/** None of its servers can be reached, or talks. */
export function isLost({ servers }: Authority): boolean {
  return servers.length > 0 && servers.every(({ failure }) => failure !== undefined);
}

/** Whether a scope depends on an authority that is lost. */
export function hasLostAuthority({ authorities }: ScopeSnapshot): boolean {
  return authorities.some(isLost);
}

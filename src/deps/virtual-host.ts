import type { Policies } from '../bootstrap/policies.js';
import type { RouteConfigResource } from '../resources/route-configuration.js';

type VirtualHost = RouteConfigResource['virtualHosts'][number];
type DomainOrder = Policies['domainOrder'];

/** The rank of a match: exact before suffix before prefix before `*`, longer before shorter; or longer before suffix. */
function matchRank(pattern: string, authority: string, order: DomainOrder): [kind: number, length: number] | undefined {
  const rank = orderedRank(pattern, authority);
  if (rank === undefined || order === 'kind' || rank[0] === EXACT) return rank;
  const [kind, length] = rank;
  return [0, 2 * length + (kind === PREFIX ? 0 : 1)];
}

const PREFIX = 1;
const EXACT = 3;

function orderedRank(pattern: string, authority: string): [kind: number, length: number] | undefined {
  const domain = pattern.toLowerCase();
  // R7.8: an asterisk matches at least one character.
  if (domain.includes('*') && authority.length < domain.length) return undefined;
  if (domain === '*') return [0, 1];
  if (domain.startsWith('*')) return authority.endsWith(domain.slice(1)) ? [2, domain.length] : undefined;
  if (domain.endsWith('*')) return authority.startsWith(domain.slice(0, -1)) ? [PREFIX, domain.length] : undefined;
  return domain === authority ? [EXACT, domain.length] : undefined;
}

/** The virtual host for a data-plane authority; the first one if several match equally well. */
export function findVirtualHost(
  { virtualHosts }: RouteConfigResource,
  authority: string,
  order: DomainOrder = 'kind',
): VirtualHost | undefined {
  let best: { host: VirtualHost; kind: number; length: number } | undefined;
  for (const host of virtualHosts) {
    for (const domain of host.domains) {
      const [kind, length] = matchRank(domain, authority.toLowerCase(), order) ?? [-1, 0];
      if (kind < 0 || (best !== undefined && (kind < best.kind || (kind === best.kind && length <= best.length))))
        continue;
      best = { host, kind, length };
    }
  }
  return best?.host;
}

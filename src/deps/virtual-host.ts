import { STANDARD_DEPENDENCIES } from '../bootstrap/dependency-policies.js';
import type { Policies } from '../bootstrap/policies.js';
import type { RouteConfigResource } from '../resources/route-configuration.js';

type VirtualHost = RouteConfigResource['virtualHosts'][number];
type DomainPolicies = Pick<Policies, 'matchDomainsLiterally' | 'failOnInvalidDomains' | 'domainOrder'>;

const PREFIX = 1;
const EXACT = 3;
const BY_KIND: DomainPolicies = { ...STANDARD_DEPENDENCIES, domainOrder: 'kind' };

/** The rank of a domain match: exact before suffix before prefix before `*`, longer before shorter. */
function matchRank(domain: string, authority: string, isLiteral: boolean): [kind: number, length: number] | undefined {
  // R7.8: an asterisk matches at least one character.
  if (!isLiteral && domain.includes('*') && authority.length < domain.length) return undefined;
  if (domain === '*') return [0, 1];
  if (domain.startsWith('*')) return authority.endsWith(domain.slice(1)) ? [2, domain.length] : undefined;
  if (domain.endsWith('*')) return authority.startsWith(domain.slice(0, -1)) ? [PREFIX, domain.length] : undefined;
  return domain === authority ? [EXACT, domain.length] : undefined;
}

/** The longer wildcard matches better, and of equal ones the suffix. */
function rankByLength([kind, length]: [kind: number, length: number]): [kind: number, length: number] {
  return kind === EXACT ? [kind, length] : [0, 2 * length + (kind === PREFIX ? 0 : 1)];
}

/** An asterisk has a meaning only at one end. */
function isInvalid(domain: string): boolean {
  return domain === '' || (domain.includes('*') && !domain.startsWith('*') && !domain.endsWith('*'));
}

/** The virtual host for a data-plane authority; the first one if several match equally well. */
export function findVirtualHost(
  { virtualHosts }: RouteConfigResource,
  authority: string,
  { matchDomainsLiterally: isLiteral, failOnInvalidDomains, domainOrder }: DomainPolicies = BY_KIND,
): VirtualHost | undefined {
  if (failOnInvalidDomains && virtualHosts.some(({ domains }) => domains.some(isInvalid))) return undefined;
  const spelled = (text: string): string => (isLiteral ? text : text.toLowerCase());
  let best: { host: VirtualHost; kind: number; length: number } | undefined;
  for (const host of virtualHosts) {
    for (const domain of host.domains) {
      const rank = matchRank(spelled(domain), spelled(authority), isLiteral) ?? [-1, 0];
      const [kind, length] = domainOrder === 'length' && rank[0] >= 0 ? rankByLength(rank) : rank;
      if (kind < 0 || (best !== undefined && (kind < best.kind || (kind === best.kind && length <= best.length))))
        continue;
      best = { host, kind, length };
    }
  }
  return best?.host;
}

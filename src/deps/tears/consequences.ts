import { OLD_STYLE } from '../../base/xds-name.js';
import type { TearKind, TornType } from './tear.js';

/** What gRPC did in a tear. */
export const INSTEAD = {
  keptPrevious: 'kept the previous configuration',
  queued: 'configuration incomplete: RPCs are queued',
  publishedError: 'published the error: RPCs sent there fail',
  dropped: 'dropped it: RPCs that need it fail',
  usedNewListener: 'used the new listener with the previous routes',
  usedSkewedFilters: 'used the configuration and ignored the override',
  usedMixed: 'used the mixed configuration',
  usedInTurn: (authority: string, from: string, to: string): string => {
    const whose = authority === OLD_STYLE ? '' : ` of authority ${authority}`;
    return `used the servers${whose} in turn: ${from}, then ${to}, then ${from}`;
  },
};

/** A74 does not compare servers or filters. */
export const SAME_WITHOUT_A74 = 'the same: A74 does not prevent it';

/** What would have happened to RPCs of a client that acts on each resource as it arrives. */
export function wouldHave(kind: TearKind, type: TornType, name: string): string {
  if (kind === 'listener-route-skew') return `RPCs would have used the new listener without its routes ${name}`;
  if (kind === 'dangling-cluster') return `RPCs to cluster ${name} would have failed: it does not exist yet`;
  if (kind === 'dangling-endpoints') return `RPCs would have failed: no endpoints ${name} yet`;
  return type === 'EDS' ? `RPCs lose the endpoints ${name}` : `RPCs that need ${type} ${name} fail`;
}

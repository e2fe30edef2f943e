import { OLD_STYLE } from '../../base/xds-name.js';
import type { ShortType } from '../../proto/resource-types.js';
import type { TearKind } from './tear.js';

/** The behaviour of gRPC in a tear. */
export const OUTCOME = {
  keptPrevious: 'kept the previous configuration',
  queued: 'configuration incomplete: RPCs are queued',
  publishedError: 'published the error: RPCs sent there fail',
  dropped: 'dropped it: RPCs that need it fail',
  usedNewListener: 'used the new listener with the previous routes',
  usedSkewedFilters: 'used the configuration and ignored the override',
  usedMixed: 'used the mixed configuration',
  usedInTurn: (authority: string, from: string, to: string): string => {
    const ofAuthority = authority === OLD_STYLE ? '' : ` of authority ${authority}`;
    return `used the servers${ofAuthority} in turn: ${from}, then ${to}, then ${from}`;
  },
};

/** For tears between servers or filters, which A74 does not compare. */
export const SAME_WITHOUT_A74 = 'the same: A74 does not prevent it';

/** The effect on RPCs of a client without A74, which applies each resource as it arrives. */
export function outcomeWithoutA74(kind: TearKind, type: ShortType, name: string): string {
  if (kind === 'listener-route-skew') return `RPCs would have used the new listener without its routes ${name}`;
  if (kind === 'dangling-cluster') return `RPCs to cluster ${name} would have failed: it does not exist yet`;
  if (kind === 'dangling-endpoints') return `RPCs would have failed: no endpoints ${name} yet`;
  return type === 'EDS' ? `RPCs lose the endpoints ${name}` : `RPCs that need ${type} ${name} fail`;
}

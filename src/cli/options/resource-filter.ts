import { CACHE_STATUSES } from '../../core/cache-status.js';
import type { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { flag, text, words } from '../option.js';

const TYPES = ['LDS', 'RDS', 'CDS', 'EDS'] as const satisfies readonly (keyof typeof RESOURCE_TYPES)[];

/** The default cache statuses that cause exit code 79. */
const FAILING = 'NACKED,RECEIVED_ERROR,DOES_NOT_EXIST,TIMEOUT';

/** Options of commands that list resources with these cache statuses. */
export function resourceFilterOptionsFor<const S extends string>(statuses: readonly S[], failing: string) {
  return {
    type: words('Only these resource types (LDS,RDS,CDS,EDS)', TYPES),
    name: text('Only resources whose names match this regular expression (RE2)'),
    status: words('Only these cache statuses (NACKED,TIMEOUT,…)', statuses),
    timestamp: flag('Show timestamps instead of ages', { alias: 't' }),
    'fail-on': words('Cache statuses that cause exit code 79, joined by commas; or none', [...statuses, 'none'], {
      default: failing,
    }),
  };
}

export const resourceFilterOptions = resourceFilterOptionsFor(CACHE_STATUSES, FAILING);

/** The same for CSDS, in which a process may also report ERROR. */
export const REMOTE_FAILING = `${FAILING},ERROR`;

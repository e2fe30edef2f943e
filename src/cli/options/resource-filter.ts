import { CACHE_STATUSES } from '../../core/cache-status.js';
import type { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { flag, text, words } from '../option.js';

const TYPES = ['LDS', 'RDS', 'CDS', 'EDS'] as const satisfies readonly (keyof typeof RESOURCE_TYPES)[];

/** What makes the exit code 79 unless the user says otherwise. */
const FAILING = 'NACKED,RECEIVED_ERROR,DOES_NOT_EXIST,TIMEOUT';

/** Every command that lists resources with one of these cache statuses: which of them, and how. */
export function resourceFilterOptionsFor<const S extends string>(statuses: readonly S[], failing: string) {
  return {
    type: words('Only these resource types (LDS,RDS,CDS,EDS)', TYPES),
    name: text('Only names that match this regular expression (RE2)'),
    status: words('Only these cache statuses, joined by commas: NACKED,TIMEOUT,…', statuses),
    timestamp: flag('Show times instead of ages', { alias: 't' }),
    'fail-on': words('Cache statuses that make the exit code 79, joined by commas; or none', [...statuses, 'none'], {
      default: failing,
    }),
  };
}

export const resourceFilterOptions = resourceFilterOptionsFor(CACHE_STATUSES, FAILING);

/** For processes that are read over CSDS, which may also report ERROR. */
export const REMOTE_FAILING = `${FAILING},ERROR`;

import type { ResourceSwitches } from '../context.js';
import { compositeFilter } from './composite.js';
import { EXT_PROC } from './ext-proc.js';
import { FAULT } from './fault.js';
import { GCP_AUTHN } from './gcp-authn.js';
import type { HttpFilter } from './http-filter.js';
import { RBAC_FILTER } from './rbac.js';
import { ROUTER } from './router.js';
import { STATEFUL_SESSION } from './stateful-session.js';

/** The filters that C-core supports, including those whose switch is off. */
const HTTP_FILTERS: readonly HttpFilter[] = [
  ROUTER,
  FAULT,
  RBAC_FILTER,
  STATEFUL_SESSION,
  GCP_AUTHN,
  compositeFilter((type, switches) => filterOf(type, switches)),
  EXT_PROC,
];

export function filterOf(type: string, switches: ResourceSwitches): HttpFilter | undefined {
  return HTTP_FILTERS.find((filter) => filter.type === type && filter.isEnabled?.(switches) !== false);
}

export function filterOfOverride(type: string, switches: ResourceSwitches): HttpFilter | undefined {
  return HTTP_FILTERS.find((filter) => filter.overrideType === type && filter.isEnabled?.(switches) !== false);
}

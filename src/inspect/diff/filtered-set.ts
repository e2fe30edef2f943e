import { API_TYPES } from '../../proto/api-types.js';
import { ResourceFilter } from '../resource-filter.js';
import type { ResourceSet } from './resource-set.js';

/** The resources to compare: undefined compares all. */
export interface SetFilter {
  /** `LDS`, `SDS`, … or type URLs. */
  type: readonly string[] | undefined;
  /** RE2. */
  name: string | undefined;
}

/** The part of a set that a filter selects. Both sides are filtered before they are compared, for every output format. */
export function filteredSet(set: ResourceSet, { type, name }: SetFilter): ResourceSet {
  if (type === undefined && name === undefined) return set;
  const typeUrls = type?.map((one) => API_TYPES[one] ?? one);
  const { isShown } = new ResourceFilter({ type: typeUrls, name, status: undefined });
  const resources = set.resources.filter((one) => isShown({ type: one.typeUrl, name: one.name, status: '' }));
  return { ...set, resources };
}

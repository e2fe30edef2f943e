import { shortType } from '../../proto/resource-types.js';
import { ResourceFilter } from '../resource-filter.js';
import type { ResourceSet } from './resource-set.js';

/** The resources to compare: undefined compares all. */
export interface SetFilter {
  /** `LDS`, `RDS`, … or a type URL. */
  type: readonly string[] | undefined;
  /** RE2. */
  name: string | undefined;
}

/** The part of a set that a filter selects. Both sides are filtered before they are compared, for every output format. */
export function filteredSet(set: ResourceSet, { type, name }: SetFilter): ResourceSet {
  if (type === undefined && name === undefined) return set;
  const { isShown } = new ResourceFilter({ type, name, status: undefined });
  const resources = set.resources.filter((one) =>
    isShown({ type: shortType(one.typeUrl), name: one.name, status: one.status ?? '' }),
  );
  return { ...set, resources };
}

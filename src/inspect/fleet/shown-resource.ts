import { shortType } from '../../proto/resource-types.js';
import type { IsShown } from '../resource-filter.js';
import type { HeldResource } from './client-state.js';

/** A resource of the fleet, with its status if it is that of one client. */
export interface ShownResource extends Pick<HeldResource, 'typeUrl' | 'name'> {
  status?: HeldResource['status'] | undefined;
}

/** Applies the filters of the command line to resources of the fleet. */
export function shownIn(isShown: IsShown): (resource: ShownResource) => boolean {
  return ({ typeUrl, name, status }) => isShown({ type: shortType(typeUrl), name, status: status ?? '' });
}

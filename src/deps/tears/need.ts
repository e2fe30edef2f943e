import type { ShortType } from '../../proto/resource-types.js';
import type { TearKind, TornResource } from './tear.js';

/** A resource that a target needs. */
export interface Need {
  type: ShortType;
  name: string;
  /** The cluster that names it; undefined if the listener or its routes do. */
  cluster: string | undefined;
  /** The resource that named it first, with its version at that time; undefined before the first configuration. */
  neededBy: TornResource | undefined;
  /** The time when the target began to need it. */
  since: number;
  /** The time of the first request for it on the current stream. */
  requestedAt: number | undefined;
  /** The time when it arrived; undefined if it is not cached. */
  arrivedAt: number | undefined;
  /** It is newly needed, and neither the resource nor an error has arrived. */
  isPending: boolean;
  /** The last call of `setNeeds` that listed it. */
  round: number;
}

export function needKey(type: ShortType, name: string): string {
  return `${type} ${name}`;
}

/** The kind of tear that opens if a resource of the type does not arrive. */
export function danglingKind(type: ShortType): TearKind | undefined {
  if (type === 'CDS') return 'dangling-cluster';
  if (type === 'EDS') return 'dangling-endpoints';
  return type === 'RDS' ? 'listener-route-skew' : undefined;
}

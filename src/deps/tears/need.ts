import type { TearKind, TornType } from './tear.js';

/** A resource that a target needs, and since when. */
export interface Need {
  type: TornType;
  name: string;
  /** When it became needed. */
  since: number;
  /** When a request first named it. */
  requestedAt: number | undefined;
  /** Since when there is data; undefined while there is none. */
  arrivedAt: number | undefined;
  /** It was needed anew, and its first answer has not come. */
  isPending: boolean;
  /** When it was last told of. */
  round: number;
}

export function needKey(type: TornType, name: string): string {
  return `${type} ${name}`;
}

/** What it is called when such a resource does not come. */
export function danglingKind(type: TornType): TearKind | undefined {
  if (type === 'CDS') return 'dangling-cluster';
  if (type === 'EDS') return 'dangling-endpoints';
  return type === 'RDS' ? 'listener-route-skew' : undefined;
}

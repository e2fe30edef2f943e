import type { TearKind, TornResource, TornType } from './tear.js';

/** A resource that a target needs. */
export interface Need {
  type: TornType;
  name: string;
  /** The cluster that names it; undefined if the listener or its routes do. */
  cluster: string | undefined;
  /** What named it first, with its version at that time; undefined before a configuration is published. */
  neededBy: TornResource | undefined;
  /** When it became needed. */
  since: number;
  /** When a request first named it. */
  requestedAt: number | undefined;
  /** When data arrived; undefined while there is none. */
  arrivedAt: number | undefined;
  /** Newly needed, without a response so far. */
  isPending: boolean;
  /** The last round in which it was needed. */
  round: number;
}

export function needKey(type: TornType, name: string): string {
  return `${type} ${name}`;
}

/** The kind of tear if such a resource does not arrive. */
export function danglingKind(type: TornType): TearKind | undefined {
  if (type === 'CDS') return 'dangling-cluster';
  if (type === 'EDS') return 'dangling-endpoints';
  return type === 'RDS' ? 'listener-route-skew' : undefined;
}

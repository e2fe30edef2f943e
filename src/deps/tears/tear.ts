import type { TearEvent } from '../../core/event.js';

/** What a client without A74 would have used: an incomplete or mixed configuration. */
export type TearKind =
  | 'dangling-cluster'
  | 'dangling-endpoints'
  | 'listener-route-skew'
  | 'mixed-servers'
  | 'flap'
  | 'removed-in-use';

export type TornType = 'LDS' | 'RDS' | 'CDS' | 'EDS';

/** A resource in a tear; without a version if none is cached, without a cache status if it cannot be requested. */
export type TornResource = TearEvent['resources'][number] & { type: TornType };

/** A time in which a client without A74 would have acted on an incomplete or mixed configuration. Times in milliseconds. */
export interface Tear {
  kind: TearKind;
  begin: number;
  /** Undefined while it is open. */
  end: number | undefined;
  resources: TornResource[];
  /** Descriptions of the routes that lead there. */
  routes: string[];
  /** What would have happened to RPCs, and what happened instead. */
  wouldHave: string;
  instead: string;
}

/** A time in which the dependency manager held a new configuration back, no longer than a round trip (A74). */
export interface HeldBack {
  type: TornType;
  name: string;
  begin: number;
  end: number;
}

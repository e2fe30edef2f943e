import type { TearResource } from '../../core/event.js';

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
export type TornResource = TearResource & { type: TornType };

/** A route that leads to a torn resource. */
export interface TornRoute {
  /** Position in the virtual host, counted from 0. */
  index: number;
  /** Which RPCs it matches, in words. */
  match: string;
  /** Part of its RPCs that go there, from 0 to 1. */
  share: number;
}

/** How a tear ended: the resource arrived, or nothing needs it any more. */
export type TearResolution = 'arrived' | 'no-longer-needed';

/** A time in which a client without A74 would have acted on an incomplete or mixed configuration. Times in milliseconds. */
export interface Tear {
  kind: TearKind;
  begin: number;
  /** Undefined while it is open. */
  end: number | undefined;
  /** Undefined while it is open. */
  resolvedBy: TearResolution | undefined;
  resources: TornResource[];
  /** The version that names the missing or removed resource. */
  neededBy: TornResource | undefined;
  /** The routes that lead there. */
  routes: TornRoute[];
  /** Filters that routes override and the listener lacks. */
  filters: readonly string[];
  /** The servers between which an authority moved: away from the first, and back. */
  servers: readonly string[];
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

/** `0: any path, 25 %` */
export function routeText({ index, match, share }: TornRoute): string {
  const percent = Math.round(100 * share);
  return `${index}: ${match}${percent === 100 ? '' : `, ${percent} %`}`;
}

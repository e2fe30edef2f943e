import type { TearResource } from '../../core/event.js';
import type { ShortType } from '../../proto/resource-types.js';

/** The kinds of incomplete or mixed configurations. */
export type TearKind =
  | 'dangling-cluster'
  | 'dangling-endpoints'
  | 'listener-route-skew'
  | 'mixed-servers'
  | 'flap'
  | 'removed-in-use';

/** A resource in a tear. It has no version if it is not cached, and no cache status if it cannot be requested. */
export type TornResource = TearResource & { type: ShortType };

/** A route that leads to a torn resource. */
export interface TornRoute {
  /** Position in the virtual host, counted from 0. */
  index: number;
  /** The match of the route as text. */
  match: string;
  /** The share of its RPCs that it sends to the resource, from 0 to 1. */
  share: number;
}

/** How a tear ended: the resource arrived, or the target does not need it any more. */
export type TearResolution = 'arrived' | 'no-longer-needed';

/** A period in which a client without A74 would have used an incomplete or mixed configuration. Times are in ms. */
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
  /** The routes that lead to the resource. */
  routes: TornRoute[];
  /** Filters that routes override but that are not in the listener. */
  filters: readonly string[];
  /** Of a flap: the server that the authority left and returned to, and the fallback server. */
  servers: readonly string[];
  /** The effect on RPCs without A74, and the behaviour of gRPC. */
  wouldHave: string;
  instead: string;
}

/** A period in which the dependency manager held back a new configuration, within the grace period (A74). */
export interface HeldBack {
  type: ShortType;
  name: string;
  begin: number;
  end: number;
}

/** `0: any path, 25 %` */
export function routeText({ index, match, share }: TornRoute): string {
  const percent = Math.round(100 * share);
  return `${index}: ${match}${percent === 100 ? '' : `, ${percent} %`}`;
}

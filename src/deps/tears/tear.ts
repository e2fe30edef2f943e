/** What kind of mixture or gap a client without A74 would have acted on. */
export type TearKind =
  | 'dangling-cluster'
  | 'dangling-endpoints'
  | 'listener-route-skew'
  | 'mixed-servers'
  | 'flap'
  | 'removed-in-use';

export type TornType = 'LDS' | 'RDS' | 'CDS' | 'EDS';

/** A resource that a tear is about; without a version where there is none. */
export interface TornResource {
  type: TornType;
  name: string;
  version: string | undefined;
  server: string | undefined;
  /** In the cache; undefined where it cannot be asked for. */
  status: string | undefined;
}

/** A time in which a client without A74 would have acted on an incomplete or mixed configuration. Times in milliseconds. */
export interface Tear {
  kind: TearKind;
  begin: number;
  /** Undefined while it is open. */
  end: number | undefined;
  resources: TornResource[];
  /** The routes that lead there, in words. */
  routes: string[];
  /** What would have become of RPCs, and what happened. */
  wouldHave: string;
  instead: string;
}

/** A time in which the dependency manager waited for something new, and had it soon: what A74 spares the RPCs. */
export interface HeldBack {
  type: TornType;
  name: string;
  begin: number;
  end: number;
}

import type { QueryId, Resolution } from '../core/input.js';
import type { WatcherUpdate } from '../core/watcher.js';
import type { ShortType } from '../proto/resource-types.js';
import type { ConfigState } from './config.js';
import type { ResourceLookup } from './graph.js';
import type { TornRoute } from './tears/tear.js';

/** Follows one target from its listener to its endpoints, and publishes a configuration when it is complete (A74). */
export interface TargetManager {
  /** The resolved configuration of the target. */
  readonly applied: ConfigState;
  /** A newer configuration is incomplete and therefore not published. */
  readonly isWithheld: boolean;
  /** The clusters that RPCs use, with the number of RPCs. */
  readonly held: ReadonlyMap<string, number>;
  /** The clusters and endpoints that have arrived. */
  readonly lookup: ResourceLookup;
  /** The clusters that changed since the last call, if the map of clusters in the configuration is the same. */
  takeReplaced(): string[];
  /** The routes, of the latest route configuration, that lead to a cluster or to endpoints. */
  routesTo(type: ShortType, name: string): TornRoute[];
  /** Ignores updates for resources that are no longer watched. */
  onUpdate(type: ShortType, name: string, update: WatcherUpdate): void;
  onResolved(query: QueryId, result: Resolution, now: number): void;
  nextDeadline(): number | undefined;
  tick(now: number): void;
  /** R7.17: a cluster that an RPC uses stays watched, even if no route names it. */
  hold(cluster: string): void;
  release(cluster: string): void;
  /** Ends all watches. */
  close(): void;
  /** Processes all updates at the end of a step, including those that they cause. Returns true if there were any. */
  processUpdates(): boolean;
  /** Processes an update before the next one of the same response. */
  processUpdatesIfComplete(): void;
}

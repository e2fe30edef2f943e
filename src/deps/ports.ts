import type { QueryId, WatcherId } from '../core/input.js';
import type { ConfigState } from './config.js';
import type { TornType } from './tears/tear.js';

/** What whoever follows a target can do: watch resources, look up names, and say what came of it. */
export interface FollowerPorts {
  watch(typeUrl: string, name: string): WatcherId;
  /** R1.28: with a delay, the server hears of it with the next request of the type. */
  unwatch(watcher: WatcherId, isDelayed?: boolean): void;
  resolve(host: string, port: number): QueryId;
  publish(state: ConfigState): void;
  /** All that is needed now, of the types given. */
  needs(types: readonly TornType[], needed: Iterable<{ type: TornType; name: string }>): void;
}

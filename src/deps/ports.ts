import type { QueryId } from '../core/input.js';
import type { InternalWatcher } from '../core/watcher.js';
import type { ConfigState } from './config.js';
import type { TornType } from './tears/tear.js';

/** A resource that a target needs. */
export interface NeededResource {
  type: TornType;
  name: string;
  /** The cluster that names it; undefined if the listener or its routes do. */
  cluster?: string | undefined;
}

/** What a follower of a target can do: watch resources, resolve host names, and publish a configuration. */
export interface FollowerPorts {
  watch(typeUrl: string, name: string): InternalWatcher;
  /** R1.28: a delayed unsubscription is sent with the next request of the type. */
  unwatch(watcher: InternalWatcher, isDelayed?: boolean): void;
  resolve(host: string, port: number): QueryId;
  publish(state: ConfigState): void;
  /** Everything that the target needs now, of these types. */
  needs(types: readonly TornType[], needed: Iterable<NeededResource>): void;
}

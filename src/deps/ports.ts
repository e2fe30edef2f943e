import type { QueryId } from '../core/input.js';
import type { InternalWatcher } from '../core/watcher.js';
import type { ShortType } from '../proto/resource-types.js';
import type { ConfigState } from './config.js';

/** A resource that a target needs. */
export interface NeededResource {
  type: ShortType;
  name: string;
  /** The cluster that names it; undefined if the listener or its routes do. */
  cluster?: string | undefined;
}

/** The actions of a follower of a target: watch resources, resolve host names, and publish a configuration. */
export interface FollowerPorts {
  watch(typeUrl: string, name: string): InternalWatcher;
  /** R1.28: a delayed unsubscription is sent with the next request of the type. */
  unwatch(watcher: InternalWatcher, isDelayed?: boolean): void;
  resolve(host: string, port: number): QueryId;
  publish(state: ConfigState): void;
  /** Reports all resources of these types that the target needs now. */
  setNeeds(types: readonly ShortType[], needed: Iterable<NeededResource>): void;
}

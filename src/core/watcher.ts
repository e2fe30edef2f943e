import type { Status } from '../base/status.js';
import type { XdsResource } from '../resources/resource.js';
import type { WatcherId } from './input.js';

/** What a watcher receives, in the terms of the final A88. Errors name the node (R3.4). */
export type WatcherUpdate =
  | { kind: 'OnResourceChanged'; resource: XdsResource }
  | { kind: 'OnResourceChanged'; error: Status }
  /** The resource stays in use. Without an error: the last ambient error is over. */
  | { kind: 'OnAmbientError'; error: Status | undefined };

/** Watches for a program outside of the engine, which chose the id. */
export interface ExternalWatcher {
  readonly kind: 'external';
  readonly id: WatcherId;
}

/** Watches for a follower inside the engine; compared by identity. */
export interface InternalWatcher {
  readonly kind: 'internal';
}

export type Watcher = ExternalWatcher | InternalWatcher;

import type { Status } from '../base/status.js';
import type { XdsResource } from '../resources/resource.js';
import type { WatcherId } from './input.js';

/** A watcher callback as the final A88 defines it. Errors contain the node ID (R3.4). */
export type WatcherUpdate =
  | { kind: 'OnResourceChanged'; resource: XdsResource }
  | { kind: 'OnResourceChanged'; error: Status }
  /** The cached resource stays in use. Without an error, the last ambient error is cleared. */
  | { kind: 'OnAmbientError'; error: Status | undefined };

/** A watcher of a program outside the engine, which chose the ID. */
export interface ExternalWatcher {
  readonly kind: 'external';
  readonly id: WatcherId;
}

/** A watcher of a follower inside the engine, compared by identity. */
export interface InternalWatcher {
  readonly kind: 'internal';
}

export type Watcher = ExternalWatcher | InternalWatcher;

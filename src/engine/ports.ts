import type { Status } from '../base/status.js';
import type { ServerTarget } from '../core/effect.js';
import type { Event } from '../core/event.js';
import type { ConnectivityState, Resolution } from '../core/input.js';
import type { XdsResource } from '../resources/resource.js';

/** Time, as the session sees it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `wake` once at the time `at`, unless the returned function is called before. */
  wakeAt(at: number, wake: () => void): () => void;
}

/** Carries bytes to xDS servers and back. */
export interface Transport {
  connect(server: ServerTarget, onState: (state: ConnectivityState, reason: string) => void): Connection;
}

/** A channel to one server. It connects and reconnects by itself, and reports its state to `onState`. */
export interface Connection {
  /** Opens a bidirectional stream that waits for the connection instead of failing without one. */
  open(method: string, listener: StreamListener): ByteStream;
  close(): void;
}

/** One RPC, with at most one write and one read in flight. */
export interface ByteStream {
  /** `onSent` follows when the message was handed to a connected transport. */
  send(message: Uint8Array): void;
  /** `onMessage` follows with the next message, or `onEnd`. */
  read(): void;
  cancel(): void;
}

export interface StreamListener {
  onSent(): void;
  onMessage(message: Uint8Array): void;
  onEnd(status: Status): void;
}

/** Resolves host names for LOGICAL_DNS clusters. */
export interface Dns {
  resolve(host: string, port: number): Promise<Resolution>;
}

/** Takes every event, in order. */
export interface EventLog {
  append(event: Event): void;
}

/** A watcher of a resource, as in the final A88. It may return a promise that resolves when it is done with an update. */
export interface ResourceWatcher {
  /** The resource, whenever it changes; or an error in its place if none is cached. */
  onResourceChanged(update: { resource?: XdsResource; error?: Status }): unknown;
  /** An error beside the cached resource, which stays in use; undefined when it is over. */
  onAmbientError(error: Status | undefined): unknown;
}

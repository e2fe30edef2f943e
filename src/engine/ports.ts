import type { Status } from '../base/status.js';
import type { ServerTarget } from '../core/effect.js';
import type { Event } from '../core/event.js';
import type { ConnectivityState, Resolution } from '../core/input.js';
import type { XdsResource } from '../resources/resource.js';

/** The clock and timers of a session. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `wake` once at the time `at`. The returned function cancels it. */
  wakeAt(at: number, wake: () => void): () => void;
}

/** Connects to xDS servers. */
export interface Transport {
  connect(server: ServerTarget, onState: (state: ConnectivityState, reason: string) => void): Connection;
}

/** A channel to one server. It connects and reconnects automatically, and reports its state to `onState`. */
export interface Connection {
  /** Opens a bidirectional stream with wait-for-ready semantics. */
  open(method: string, listener: StreamListener): ByteStream;
  close(): void;
}

/** One RPC, with at most one write and one read in flight. */
export interface ByteStream {
  /** Sends a message. Calls `onSent` when a connected transport has accepted it. */
  send(message: Uint8Array): void;
  /** Reads the next message. Calls `onMessage` with it, or `onEnd`. */
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

/** Receives every event, in order. */
export interface EventLog {
  append(event: Event): void;
}

/** A watcher of a resource, as in the final A88. It may return a promise that resolves when the update is processed. */
export interface ResourceWatcher {
  /** The resource has changed, or an error occurred and no resource is cached. */
  onResourceChanged(update: { resource?: XdsResource; error?: Status }): unknown;
  /** An error occurred and the cached resource stays in use. Undefined if the error is cleared. */
  onAmbientError(error: Status | undefined): unknown;
}

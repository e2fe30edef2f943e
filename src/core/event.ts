import type { Severity } from '../base/finding.js';
import type { Status } from '../base/status.js';
import type { CacheStatus } from './cache-status.js';
import type { draftCallback, ErrorRecord, finalCallback } from './error-record.js';
import type { ConnectivityState, StreamId } from './input.js';
import type { OutgoingRequest } from './protocol.js';
import type { Contents, ReceivedResponse } from './response.js';

/** The fields of every event. */
interface EventBase {
  /** Milliseconds since the epoch, from the session's clock. */
  at: number;
  scope: string;
  /** URI of the xDS server that it concerns. */
  server: string;
}

interface ChannelEvent extends EventBase {
  kind: 'channel';
  state: ConnectivityState;
  reason: string;
}

export interface StreamEvent extends EventBase {
  kind: 'stream';
  stream: StreamId;
  change: 'opened' | 'ended' | 'cancelled';
  /** Set when the stream ended. */
  status: Status | undefined;
  /** The backoff before the next stream, in milliseconds; set when the stream ended. */
  retryIn: number | undefined;
}

export interface RequestEvent extends EventBase, Omit<OutgoingRequest, 'bytes'> {
  kind: 'request';
  stream: StreamId;
}

export interface ResponseEvent extends EventBase, Omit<ReceivedResponse, 'message'>, Contents {
  kind: 'response';
  stream: StreamId;
  /** Size of the message. */
  bytes: number;
  /** C-core reads nothing more on the stream after this (R1.24). */
  stops: boolean;
  /** The message of the NACK, if it was rejected. */
  refused: string | undefined;
  /** The number of new resources, and of resources that differ from the cached ones. */
  added: number;
  changed: number;
  /** Resources without a watcher; at most a few. */
  unrequested: readonly string[];
  /** LDS, CDS: requested names that no response on this stream mentioned; at most a few. */
  missing: readonly string[];
}

/** Resource timers (A57): they start when a request was sent, and expire without the resource. */
export interface TimerEvent extends EventBase {
  kind: 'timer';
  typeUrl: string;
  names: readonly string[];
  change: 'started' | 'expired';
  /** The duration of a timer that starts. */
  milliseconds: number | undefined;
}

/** A resource is new, has changed, or its ambient error is over. */
export interface ResourceEvent extends EventBase {
  kind: 'resource';
  typeUrl: string;
  name: string;
  change: 'updated' | 'cleared';
  status: CacheStatus;
  version: string;
  /** Of an update: the previous version, if the same server sent it, and whether on the same stream. */
  replaces: { version: string; sameStream: boolean } | undefined;
  /** The number of watchers that are notified. */
  watchers: number;
}

/** An error of a resource, and its effect on watchers (A88). */
export interface ErrorEvent extends EventBase, ErrorRecord {
  kind: 'error';
  typeUrl: string;
  name: string;
  /** The status of the cache entry after the error; undefined for a name that cannot be requested. */
  cache: CacheStatus | undefined;
  /** The number of watchers that are notified. */
  watchers: number;
  /** The watcher's method in the final A88 and in its draft. */
  final: ReturnType<typeof finalCallback>;
  draft: ReturnType<typeof draftCallback>;
}

/** An authority falls back to a server of lower priority, or returns (A71). */
export interface FallbackEvent extends EventBase {
  kind: 'fallback';
  authority: string;
  change: 'down' | 'up';
  /** URI of the previously active server; `server` is active now. */
  from: string;
}

/** The resolved configuration of a target has changed (A74). */
export interface ConfigEvent {
  kind: 'config';
  at: number;
  scope: string;
  target: string;
  change: 'published' | 'error';
  /** Why there is no configuration. */
  error: string | undefined;
  /** The number of clusters in it. */
  clusters: number;
}

/** A resource as it was cached when a tear opened. */
export interface TearResource {
  type: string;
  name: string;
  version: string | undefined;
  server: string | undefined;
  status: string | undefined;
}

/** A tear opens or closes, or an update was held back for no longer than a round trip (A74). */
export interface TearEvent {
  kind: 'tear';
  at: number;
  scope: string;
  target: string;
  change: 'opened' | 'closed' | 'held-back';
  /** Undefined for `held-back`. */
  tear: string | undefined;
  begin: number;
  end: number | undefined;
  /** How it ended; undefined while it is open. */
  resolvedBy: string | undefined;
  resources: readonly TearResource[];
  /** The version that names the missing or removed resource. */
  neededBy: TearResource | undefined;
  routes: readonly string[];
  wouldHave: string;
  instead: string;
}

/** A mistake of a control plane: one finding counts all of its occurrences. */
export interface FindingEvent extends EventBase {
  kind: 'finding';
  /** `repeated`: reported once in a while if it occurs again; `ended`: an ongoing finding is over. */
  change: 'opened' | 'repeated' | 'ended';
  code: string;
  severity: Severity;
  /** Undefined if it concerns no type. */
  typeUrl: string | undefined;
  /** The resources that it concerns; at most a few. */
  names: readonly string[];
  count: number;
  /** Occurrences per second, if it is ongoing. */
  rate: number | undefined;
  begin: number;
  last: number;
  message: string;
  advice: string;
}

/** One entry of the ordered log that every output is a view of. */
export type Event =
  | ChannelEvent
  | StreamEvent
  | RequestEvent
  | ResponseEvent
  | ResourceEvent
  | ErrorEvent
  | FallbackEvent
  | TimerEvent
  | ConfigEvent
  | TearEvent
  | FindingEvent;

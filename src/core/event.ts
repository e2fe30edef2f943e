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
  /** URI of the xDS server. */
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
  /** C-core does not read from the stream again after this response (R1.24). */
  stops: boolean;
  /** The error message of the NACK, if the client rejects the response. */
  refused: string | undefined;
  /** The numbers of new resources and of resources that differ from the cached version. */
  added: number;
  changed: number;
  /** The first few resources that have no watcher. */
  unrequested: readonly string[];
  /** LDS and CDS: the first few requested names that no response on this stream has mentioned. */
  missing: readonly string[];
}

/** Resource timers (A57): they start when a request was sent, and expire if the resource does not arrive. */
export interface TimerEvent extends EventBase {
  kind: 'timer';
  typeUrl: string;
  names: readonly string[];
  change: 'started' | 'expired';
  /** The duration of a timer that starts. */
  milliseconds: number | undefined;
}

/** A resource is new, has changed, or its ambient error is cleared. */
export interface ResourceEvent extends EventBase {
  kind: 'resource';
  typeUrl: string;
  name: string;
  change: 'updated' | 'cleared';
  status: CacheStatus;
  version: string;
  /** For `updated`: the previous version if the same server sent it, and whether it came on the same stream. */
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

/** The cached state of a resource when a tear opened. */
export interface TearResource {
  type: string;
  name: string;
  version: string | undefined;
  server: string | undefined;
  status: string | undefined;
}

/** A tear opens or closes, or a configuration was held back within the grace period (A74). */
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

/** A protocol error of a control plane. One finding counts all of its occurrences. */
export interface FindingEvent extends EventBase {
  kind: 'finding';
  /** `repeated`: further occurrences, reported at intervals; `ended`: an ongoing finding has ended. */
  change: 'opened' | 'repeated' | 'ended';
  code: string;
  severity: Severity;
  /** Undefined if the finding is not about one resource type. */
  typeUrl: string | undefined;
  /** The first few resources that it concerns. */
  names: readonly string[];
  count: number;
  /** Occurrences per second, if it is ongoing. */
  rate: number | undefined;
  begin: number;
  last: number;
  message: string;
  advice: string;
}

/** An entry of the ordered log from which every output is derived. */
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

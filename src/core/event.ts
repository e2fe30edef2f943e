import type { Severity } from '../base/finding.js';
import type { Status } from '../base/status.js';
import type { CacheStatus } from './cache-status.js';
import type { draftCallback, ErrorRecord, finalCallback } from './error-record.js';
import type { ConnectivityState, StreamId } from './input.js';

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
  /** When the next attempt is made, in milliseconds from now; set when the stream ended. */
  retryIn: number | undefined;
}

export interface RequestEvent extends EventBase {
  kind: 'request';
  stream: StreamId;
  typeUrl: string;
  names: readonly string[];
  version: string;
  nonce: string;
  /** The reason in a NACK. */
  error: Status | undefined;
}

export interface ResponseEvent extends EventBase {
  kind: 'response';
  stream: StreamId;
  typeUrl: string;
  version: string;
  nonce: string;
  /** Names of the resources, in the order of the response; '' where none could be read. */
  names: readonly string[];
  /** Errors that the server reports for single resources (xRFC TP3). */
  errors: readonly { name: string; status: Status | undefined }[];
  /** Size of the message. */
  bytes: number;
  /** Why the message was passed over, if it was. */
  ignored: string | undefined;
  /** C-core reads nothing more on the stream after this (R1.24). */
  stops: boolean;
  /** The message of the NACK that answers it. */
  refused: string | undefined;
  /** How many resources it brought for the first time, and how many with other contents than before. */
  added: number;
  changed: number;
  /** Resources that nobody watches; at most a few are named. */
  unrequested: readonly string[];
  /** LDS, CDS: names asked for that the server has not spoken of on this stream; at most a few. */
  missing: readonly string[];
  /** Resource wrappers without a resource, by their names. */
  heartbeats: readonly string[];
  /** Types of resources that are not the response's own. */
  otherTypes: readonly string[];
}

/** How long resources have been waited for (A57): a wait begins when a request has left, and ends without the resource. */
export interface TimerEvent extends EventBase {
  kind: 'timer';
  typeUrl: string;
  names: readonly string[];
  change: 'started' | 'expired';
  /** The length of a wait that begins. */
  milliseconds: number | undefined;
}

/** A resource is there, has changed, or is free of the error that stood beside it. */
export interface ResourceEvent extends EventBase {
  kind: 'resource';
  typeUrl: string;
  name: string;
  change: 'updated' | 'cleared';
  status: CacheStatus;
  version: string;
  /** Of an update: the version before, where it came from the same server, and whether on the same stream. */
  replaces: { version: string; sameStream: boolean } | undefined;
  /** How many are told. */
  watchers: number;
}

/** What went wrong with a resource, and what that does to whoever uses it. */
export interface ErrorEvent extends EventBase {
  kind: 'error';
  typeUrl: string;
  name: string;
  /** Of the resource in the cache, after this; undefined for one that cannot be asked for. */
  cache: CacheStatus | undefined;
  /** How many are told. */
  watchers: number;
  cause: ErrorRecord['cause'];
  nature: ErrorRecord['nature'];
  origin: ErrorRecord['origin'];
  status: Status;
  version: string | undefined;
  failOnDataErrors: boolean;
  effect: ErrorRecord['effect'];
  /** The watcher's method in the final A88 and in its draft. */
  final: ReturnType<typeof finalCallback>;
  draft: ReturnType<typeof draftCallback>;
}

/** An authority starts or stops to rely on a lesser server (A71). */
export interface FallbackEvent extends EventBase {
  kind: 'fallback';
  authority: string;
  change: 'down' | 'up';
  /** URI of the server that was relied on before; `server` is the one from now on. */
  from: string;
}

/** What RPCs to a target have to go by from now on (A74). */
export interface ConfigEvent {
  kind: 'config';
  at: number;
  scope: string;
  target: string;
  change: 'published' | 'error';
  /** Why there is none. */
  error: string | undefined;
  /** How many clusters it has. */
  clusters: number;
}

/** A tear opens or closes, or something new was waited for no longer than it had to be (A74). */
export interface TearEvent {
  kind: 'tear';
  at: number;
  scope: string;
  target: string;
  change: 'opened' | 'closed' | 'held-back';
  /** Undefined for what was held back. */
  tear: string | undefined;
  begin: number;
  end: number | undefined;
  resources: readonly {
    type: string;
    name: string;
    version: string | undefined;
    server: string | undefined;
    status: string | undefined;
  }[];
  routes: readonly string[];
  wouldHave: string;
  instead: string;
}

/** What a control plane does wrong: one finding counts, however often it happens. */
export interface FindingEvent extends EventBase {
  kind: 'finding';
  /** `repeated`: it has happened again, told once in a while; `ended`: what went on for some time is over. */
  change: 'opened' | 'repeated' | 'ended';
  code: string;
  severity: Severity;
  /** Undefined where it is about no type. */
  typeUrl: string | undefined;
  /** What it is about; at most a few are named. */
  names: readonly string[];
  count: number;
  /** How often a second, where it goes on and on. */
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

import type { Millis } from '../base/duration.js';
import type { Status } from '../base/status.js';

/** A resource that a server can send. */
export interface ServedResource {
  typeUrl: string;
  name: string;
  value: Uint8Array;
}

/** A resource in a response, bare or in a Resource wrapper. */
export interface SentResource {
  resource: ServedResource | undefined;
  wrapper: { name: string; version: string; ttl: Millis | undefined } | undefined;
}

export interface ResourceErrorSpec {
  /** `undefined` sends the entry without a name, which a client must reject. */
  name: string | undefined;
  /** `undefined` sends the entry without a status, which a client must reject too. */
  status: Status | undefined;
}

/** A DiscoveryResponse in a scenario. */
export interface ResponseSpec {
  typeUrl: string;
  version: string;
  /** By default, the server counts up. */
  nonce: string | undefined;
  /** Number of bytes to add in an unknown field, to make the message large. */
  padding: number;
  resources: SentResource[];
  errors: ResourceErrorSpec[];
}

/** The resources of one type that a server sends to subscribed clients, and pushes when they change. */
export interface ServedType {
  typeUrl: string;
  version: string;
  resources: SentResource[];
  errors: ResourceErrorSpec[];
}

/** How a server handles new connections. */
export type ServerState = 'listening' | 'refusing' | 'silent' | 'resetting';

/**
 * The kind of a request. `asking`: changes the subscription, as the first request of its type on the stream or with
 * different names than the previous one. `ack` and `nack`: respond to the last response. An ACK with different names is
 * both `asking` and `ack`.
 */
export type RequestKind = 'asking' | 'ack' | 'nack' | 'any';

/** A pattern for requests. */
export interface RequestPattern {
  typeUrl: string;
  /** The whole subscription, in any order. */
  names: string[] | undefined;
  version: string | undefined;
  nonce: string | undefined;
  is: RequestKind;
  /** A substring of the NACK message. */
  error: string | undefined;
}

/** The actions of a server when a request matches a pattern. */
export interface Trigger {
  when: RequestPattern;
  /** How often it applies on one stream. After that, the next trigger or a served type provides the response. */
  times: number;
  actions: Action[];
}

/** One action of a server. */
export type Action =
  | { kind: 'send'; response: ResponseSpec }
  | { kind: 'send-bytes'; bytes: Uint8Array }
  | { kind: 'close'; status: Status }
  | { kind: 'wait'; millis: Millis }
  | { kind: 'set'; servedType: ServedType }
  | { kind: 'state'; state: ServerState }
  | { kind: 'reject'; status: Status | undefined }
  | { kind: 'hold-reads'; hold: boolean }
  /** Prints a text for the user. */
  | { kind: 'say'; text: string };

/** One event that the script waits for. */
export type Expectation =
  | { kind: 'request'; pattern: RequestPattern; absent: boolean; within: Millis }
  | { kind: 'stream'; absent: boolean; within: Millis }
  | { kind: 'end'; absent: boolean; within: Millis };

/** A step of the script: an action or an expectation at one server. */
export interface Step {
  server: string;
  /** Number of the stream on its server, from 1; by default the newest open stream. */
  stream: number | undefined;
  what: Action | { kind: 'expect'; expectation: Expectation };
  /** Line in the file, for messages. */
  line: number;
}

export interface ServerSpec {
  name: string;
  state: ServerState;
  servedTypes: ServedType[];
  triggers: Trigger[];
}

/** A scripted control plane: its servers, their served types, and the script. */
export interface Scenario {
  title: string;
  /** In order of priority: the first is the primary, the others are fallback servers (A71). */
  servers: ServerSpec[];
  /** Authorities with their own servers, by name. */
  authorities: Map<string, string[]>;
  nodeId: string;
  steps: Step[];
}

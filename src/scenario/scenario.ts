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
  /** `undefined` sends the entry without a name, which a client must refuse. */
  name: string | undefined;
  /** `undefined` sends it without a status, likewise. */
  status: Status | undefined;
}

/** A DiscoveryResponse as a scenario spells it. */
export interface ResponseSpec {
  typeUrl: string;
  version: string;
  /** Counted up by the server where the scenario does not say. */
  nonce: string | undefined;
  /** So many bytes that no client reads, to make the message large. */
  padding: number;
  resources: SentResource[];
  errors: ResourceErrorSpec[];
}

/** What a server holds of one type: sent to whoever asks for it, and again when it changes. */
export interface ServedType {
  typeUrl: string;
  version: string;
  resources: SentResource[];
  errors: ResourceErrorSpec[];
}

/** How a server meets a connection. */
export type ServerState = 'listening' | 'refusing' | 'silent' | 'resetting';

/**
 * What a request does: it asks (the first of its type on the stream, or with other names than the last), it accepts or
 * refuses the last response, or any of these. An ACK with other names both asks and accepts.
 */
export type RequestKind = 'asking' | 'ack' | 'nack' | 'any';

/** What a request has to look like. */
export interface RequestPattern {
  typeUrl: string;
  /** The whole subscription, in any order. */
  names: string[] | undefined;
  version: string | undefined;
  nonce: string | undefined;
  is: RequestKind;
  /** A part of the NACK's message. */
  error: string | undefined;
}

/** What a server does when a request matches. */
export interface Trigger {
  when: RequestPattern;
  /** How often it applies on one stream; then the next trigger, or what the server holds, answers. */
  times: number;
  actions: Action[];
}

/** One thing that a server does. */
export type Action =
  | { kind: 'send'; response: ResponseSpec }
  | { kind: 'send-bytes'; bytes: Uint8Array }
  | { kind: 'close'; status: Status }
  | { kind: 'wait'; millis: Millis }
  | { kind: 'set'; servedType: ServedType }
  | { kind: 'state'; state: ServerState }
  | { kind: 'reject'; status: Status | undefined }
  | { kind: 'hold-reads'; hold: boolean }
  /** Tells whoever watches what comes next. */
  | { kind: 'say'; text: string };

/** One thing that the script waits for. */
export type Expectation =
  | { kind: 'request'; pattern: RequestPattern; absent: boolean; within: Millis }
  | { kind: 'stream'; absent: boolean; within: Millis }
  | { kind: 'end'; absent: boolean; within: Millis };

/** A line of the script: something to do or to wait for, at one server. */
export interface Step {
  server: string;
  /** The n-th stream that the server accepted, from 1; by default the newest that is open. */
  stream: number | undefined;
  what: Action | { kind: 'expect'; expectation: Expectation };
  /** Where it stands in the file, for messages. */
  line: number;
}

export interface ServerSpec {
  name: string;
  state: ServerState;
  servedTypes: ServedType[];
  triggers: Trigger[];
}

/** A scripted control plane: its servers, what they hold, and the script that they follow. */
export interface Scenario {
  title: string;
  /** In the order of their priority: the first is the primary, the others are fallbacks (A71). */
  servers: ServerSpec[];
  /** Authorities with servers of their own, by name. */
  authorities: Map<string, string[]>;
  nodeId: string;
  steps: Step[];
}

import type { Status } from '../base/status.js';
import type { ResourceErrorSpec, ServedType, ServerState } from './scenario.js';

/** The id of a stream that a server of the plane has accepted, unique in the plane. */
export type PlaneStreamId = number;

/** An input of the control plane. */
export type PlaneInput =
  | { kind: 'start' }
  | { kind: 'stream-opened'; server: string; stream: PlaneStreamId }
  | { kind: 'request'; stream: PlaneStreamId; bytes: Uint8Array }
  | { kind: 'stream-ended'; stream: PlaneStreamId }
  | { kind: 'served-types'; server: string; servedTypes: ServedType[] }
  | { kind: 'tick' };

/** An effect that the host of the control plane has to apply. */
export type PlaneEffect =
  | { kind: 'state'; server: string; state: ServerState }
  | { kind: 'send'; stream: PlaneStreamId; bytes: Uint8Array }
  | { kind: 'close'; stream: PlaneStreamId; status: Status }
  | { kind: 'reads'; server: string; hold: boolean }
  | { kind: 'event'; event: PlaneEvent };

/** An event of the control plane, printed as one line. */
export type PlaneEvent = { at: number; server: string } & (
  | { kind: 'state'; state: ServerState }
  | {
      kind: 'stream';
      stream: PlaneStreamId;
      change: 'opened' | 'ended' | 'closed' | 'broken';
      status: Status | undefined;
    }
  | {
      kind: 'request';
      stream: PlaneStreamId;
      typeUrl: string;
      names: readonly string[];
      version: string;
      nonce: string;
      nodeId: string;
      error: Status | undefined;
    }
  | { kind: 'bad-request'; stream: PlaneStreamId; reason: string }
  | {
      kind: 'response';
      stream: PlaneStreamId;
      typeUrl: string;
      version: string;
      nonce: string;
      names: readonly string[];
      errors: readonly ResourceErrorSpec[];
    }
  | { kind: 'bytes'; stream: PlaneStreamId; length: number }
  | { kind: 'holding'; typeUrl: string; version: string; names: readonly string[] }
  | { kind: 'said'; text: string }
  | { kind: 'met'; line: number }
  | { kind: 'unmet'; line: number; reason: string }
  | { kind: 'script-done'; met: number; unmet: number }
);

/** An event without the fields that all events have. */
export type PlaneEventDetails = PlaneEvent extends infer E
  ? E extends PlaneEvent
    ? Omit<E, 'at' | 'server'>
    : never
  : never;

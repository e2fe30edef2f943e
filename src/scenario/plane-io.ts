import type { Status } from '../base/status.js';
import type { ResourceErrorSpec, ServedType, ServerState } from './scenario.js';

/** A stream that a server of the plane has accepted, by a number unique in the plane. */
export type PlaneStreamId = number;

/** What happens to the control plane. */
export type PlaneInput =
  | { kind: 'start' }
  | { kind: 'stream-opened'; server: string; stream: PlaneStreamId }
  | { kind: 'request'; stream: PlaneStreamId; bytes: Uint8Array }
  | { kind: 'stream-ended'; stream: PlaneStreamId }
  | { kind: 'served-types'; server: string; servedTypes: ServedType[] }
  | { kind: 'tick' };

/** What the control plane wants done. */
export type PlaneEffect =
  | { kind: 'state'; server: string; state: ServerState }
  | { kind: 'send'; stream: PlaneStreamId; bytes: Uint8Array }
  | { kind: 'close'; stream: PlaneStreamId; status: Status }
  | { kind: 'reads'; server: string; hold: boolean }
  | { kind: 'event'; event: PlaneEvent };

/** What the control plane has to tell, one line each. */
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

/** An event without what every event has. */
export type PlaneEventDetails = PlaneEvent extends infer E
  ? E extends PlaneEvent
    ? Omit<E, 'at' | 'server'>
    : never
  : never;

import type { Variables } from '../c-core.js';
import type { Step } from '../conformance/client/recording.js';
import type { PredictedRpc } from '../conformance/client/rpcs.js';

/** How a call ended, and what it took. */
export interface RpcEnd extends PredictedRpc {
  seconds?: number;
}

/** A gRPC client that a scenario is played with. Steps are as recorded, with this machine's ports in them. */
export interface OracleClient {
  connect(step: Step): Promise<void>;
  closeChannel(step: Step): Promise<void>;
  serve(address: string): Promise<void>;
  rpc(step: Step): Promise<RpcEnd>;
  /** In the background. */
  startRpc(step: Step): Promise<void>;
  /** `undefined` where the client cannot tell. */
  joinRpc(label: string): Promise<RpcEnd | undefined>;
  stream(step: Step): Promise<void>;
  endStream(label: string): Promise<RpcEnd | undefined>;
  /** A ClientStatusResponse. */
  csds(): Promise<Uint8Array>;
  stop(): Promise<void>;
}

export interface ClientSetup {
  /** With the bootstrap among them. */
  variables: Variables;
  /** Ports by label. */
  backends: Readonly<Record<string, number>>;
}

export type StartClient = (setup: ClientSetup) => Promise<OracleClient>;

export const DEFAULT_METHOD = '/oracle.Echo/Echo';
export const DEFAULT_TIMEOUT_S = 3;

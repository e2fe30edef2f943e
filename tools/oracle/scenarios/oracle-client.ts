import type { Step } from '../conformance/client/recording.js';
import type { PredictedRpc } from '../conformance/client/rpcs.js';
import type { Variables } from '../oracle-program.js';

/** The outcome of a call, with its duration. */
export interface RpcEnd extends PredictedRpc {
  seconds?: number;
}

/** A gRPC client that executes the steps of a scenario. Steps contain the ports of this machine. */
export interface OracleClient {
  connect(step: Step): Promise<void>;
  closeChannel(step: Step): Promise<void>;
  serve(address: string): Promise<void>;
  rpc(step: Step): Promise<RpcEnd>;
  /** Starts an RPC in the background. */
  startRpc(step: Step): Promise<void>;
  /** Returns `undefined` if the client does not know the outcome. */
  joinRpc(label: string): Promise<RpcEnd | undefined>;
  stream(step: Step): Promise<void>;
  endStream(label: string): Promise<RpcEnd | undefined>;
  /** A ClientStatusResponse. */
  csds(): Promise<Uint8Array>;
  stop(): Promise<void>;
}

export interface ClientSetup {
  /** Includes the bootstrap. */
  variables: Variables;
  /** Ports by label. */
  backends: Readonly<Record<string, number>>;
}

export type StartClient = (setup: ClientSetup) => Promise<OracleClient>;

export const DEFAULT_METHOD = '/oracle.Echo/Echo';
export const DEFAULT_TIMEOUT_S = 3;

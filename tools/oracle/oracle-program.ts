import { PeerProcess } from '../peers/peer-process.js';
import type { Command } from '../peers/peers.js';

export interface Call {
  channel: string;
  /** The target of the channel, if the call is the first to need it. Default: the key of the channel. */
  target?: string;
  method: string;
  metadata?: [string, string][];
  /** In seconds. */
  timeout?: number;
  waitForReady?: boolean;
}

/** The result of a call. */
export interface CallResult {
  code: string;
  /** The status message, if it failed. */
  message?: string;
  /** The payload from the backend. */
  answer?: string;
  seconds: number;
}

/** Environment variables; `undefined` unsets one. */
export type Variables = Record<string, string | undefined>;

/** A process with a gRPC client that executes commands, such as C-core in peers/python/oracle.py. */
export class OracleProgram {
  readonly version: string;
  readonly #process: PeerProcess;

  private constructor(process: PeerProcess, version: string) {
    this.#process = process;
    this.version = version;
  }

  static async start(command: Command, variables: Variables): Promise<OracleProgram> {
    // The log of C-core must not mix with its output.
    const { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap, ...rest } = variables;
    const env = { ...WITHOUT_SWITCHES, GRPC_VERBOSITY: 'NONE', ...rest };
    const { peer, greeting } = await PeerProcess.start<{ version: string }>(command, env);
    // gRPC reads the bootstrap with its first channel. Some are too long for the environment of a new process.
    if (bootstrap !== undefined) await peer.ask({ op: 'setenv', name: 'GRPC_XDS_BOOTSTRAP_CONFIG', value: bootstrap });
    return new OracleProgram(peer, greeting.version);
  }

  async connect(target: string, channel?: string, options: [string, unknown][] = []): Promise<void> {
    await this.#process.ask({ op: 'connect', target, channel, options });
  }

  async close(channel: string): Promise<void> {
    await this.#process.ask({ op: 'close', channel });
  }

  call(call: Call): Promise<CallResult> {
    return this.#process.ask<CallResult>({ op: 'call', ...call });
  }

  /** Starts a call in the background; `join` waits for its result. */
  async start(label: string, call: Call): Promise<void> {
    await this.#process.ask({ op: 'start', label, ...call });
  }

  join(label: string): Promise<CallResult> {
    return this.#process.ask<CallResult>({ op: 'join', label });
  }

  /** A bidirectional call that stays open until `endStream`. */
  async stream(label: string, { channel, target, method }: Call): Promise<void> {
    await this.#process.ask({ op: 'stream', label, channel, target, method });
  }

  endStream(label: string): Promise<CallResult> {
    return this.#process.ask<CallResult>({ op: 'endStream', label });
  }

  /** Starts an xDS-enabled gRPC server. */
  async serve(address: string): Promise<void> {
    await this.#process.ask({ op: 'serve', address });
  }

  /** The ClientStatusResponse of its CSDS. */
  async csds(): Promise<Buffer> {
    const { response } = await this.#process.ask<{ response: string }>({ op: 'csds' });
    return Buffer.from(response, 'base64');
  }

  kill(): void {
    this.#process.kill();
  }
}

/** The oracle must not inherit gRPC's variables from the environment of this process. */
const WITHOUT_SWITCHES: Variables = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(GRPC_|https?_proxy|no_proxy)/i.test(name))
    .map((name) => [name, undefined]),
);

import { PeerProcess } from '../peers/peer-process.js';
import type { Command } from '../peers/peers.js';

export interface Call {
  channel: string;
  method: string;
  metadata?: [string, string][];
  /** In seconds. */
  timeout?: number;
  waitForReady?: boolean;
}

/** How a call ended. */
export interface Ended {
  code: string;
  /** Where it failed. */
  message?: string;
  /** What the backend said. */
  answer?: string;
  seconds: number;
}

/** Environment variables; `undefined` takes one away. */
export type Variables = Record<string, string | undefined>;

/** A process with C-core in it that does as it is told: peers/python/oracle.py. */
export class CCore {
  readonly version: string;
  readonly #process: PeerProcess;

  private constructor(process: PeerProcess, version: string) {
    this.#process = process;
    this.version = version;
  }

  static async start(command: Command, variables: Variables): Promise<CCore> {
    // What C-core has to say beside its answers is no part of them.
    const { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap, ...rest } = variables;
    const env = { ...WITHOUT_SWITCHES, GRPC_VERBOSITY: 'NONE', ...rest };
    const { peer, greeting } = await PeerProcess.start<{ version: string }>(command, env);
    // It is read when the first channel is made. Some are too long for the start of a process.
    if (bootstrap !== undefined) await peer.ask({ op: 'setenv', name: 'GRPC_XDS_BOOTSTRAP_CONFIG', value: bootstrap });
    return new CCore(peer, greeting.version);
  }

  async connect(target: string, channel?: string, options: [string, unknown][] = []): Promise<void> {
    await this.#process.ask({ op: 'connect', target, channel, options });
  }

  async close(channel: string): Promise<void> {
    await this.#process.ask({ op: 'close', channel });
  }

  call(call: Call): Promise<Ended> {
    return this.#process.ask<Ended>({ op: 'call', ...call });
  }

  /** Begins a call whose end is asked for with `join`. */
  async start(label: string, call: Call): Promise<void> {
    await this.#process.ask({ op: 'start', label, ...call });
  }

  join(label: string): Promise<Ended> {
    return this.#process.ask<Ended>({ op: 'join', label });
  }

  /** A bidirectional call that stays open until `endStream`. */
  async stream(label: string, channel: string, method: string): Promise<void> {
    await this.#process.ask({ op: 'stream', label, channel, method });
  }

  endStream(label: string): Promise<Ended> {
    return this.#process.ask<Ended>({ op: 'endStream', label });
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

/** The switches of whoever runs this are not those of the oracle. */
const WITHOUT_SWITCHES: Variables = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(GRPC_|https?_proxy|no_proxy)/i.test(name))
    .map((name) => [name, undefined]),
);

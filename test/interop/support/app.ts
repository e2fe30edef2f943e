import type { PeerProcess } from '../../../tools/peers/peer-process.js';
import type { PeerName } from '../../../tools/peers/peers.js';
import { startPeer } from './built-peers.js';

/** The outcome of a call. */
export interface Outcome {
  code: string;
  message: string;
  /** The payload from the backend: its label. */
  answer?: string;
}

export interface CallOptions {
  method?: string;
  metadata?: [string, string][];
  /** In seconds. */
  timeout?: number;
  waitForReady?: boolean;
}

interface Greeting {
  /** The port of its admin services, including CSDS. */
  admin: number;
  version: string;
}

/**
 * A gRPC application in some language: it creates channels and makes calls on command, and serves the admin services. All
 * languages have the same commands: `connect`, `close` and `call`, and `serve` where they support xDS-enabled servers.
 */
export class App {
  readonly admin: string;
  readonly version: string;
  readonly #process: PeerProcess;

  private constructor(process: PeerProcess, { admin, version }: Greeting) {
    this.#process = process;
    this.admin = `127.0.0.1:${admin}`;
    this.version = version;
  }

  static async start(name: PeerName, env: Record<string, string | undefined>): Promise<App> {
    const { peer, greeting } = await startPeer<Greeting>(name, { env });
    return new App(peer, greeting);
  }

  /** Creates a channel, which resolves its target. */
  async connect(target: string): Promise<void> {
    await this.#process.ask({ op: 'connect', target });
  }

  async close(target: string): Promise<void> {
    await this.#process.ask({ op: 'close', target });
  }

  call(target: string, { method = '/interop.Echo/Say', ...options }: CallOptions = {}): Promise<Outcome> {
    return this.#process.ask<Outcome>({ op: 'call', target, method, ...options });
  }

  /** Makes many calls, `atOnce` of them in parallel. */
  async calls(calls: readonly (Required<CallOptions> & { target: string })[], atOnce: number): Promise<Outcome[]> {
    return (await this.#process.ask<{ outcomes: Outcome[] }>({ op: 'calls', calls, atOnce })).outcomes;
  }

  /** Starts an xDS-enabled server for any method on this port of loopback; it serves when it has its listener. */
  async serve(port: number): Promise<void> {
    const { message = '' } = await this.#process.ask<Partial<Outcome>>({ op: 'serve', port });
    if (message !== '') throw new Error(message);
  }

  kill(): void {
    this.#process.kill();
  }
}

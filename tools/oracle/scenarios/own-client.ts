import { setTimeout as sleep } from 'node:timers/promises';
import type { Preset } from '../../../src/bootstrap/preset-names.js';
import { PRESETS } from '../../../src/bootstrap/presets.js';
import type { CsdsClient } from '../../../src/csds/csds-client.js';
import { statusRequest } from '../../../src/csds/status-request.js';
import { respondToStatusRequest } from '../../../src/csds/status-response.js';
import { csdsClient } from '../../../src/io/csds-client.js';
import { type CsdsServer, serveCsds } from '../../../src/io/csds-server.js';
import { GrpcTransport } from '../../../src/io/grpc-transport.js';
import { interfacesByName } from '../../../src/io/network-interfaces.js';
import { systemClock } from '../../../src/io/system-clock.js';
import { systemDns } from '../../../src/io/system-dns.js';
import { EngineClient } from '../conformance/client/engine-client.js';
import type { Step } from '../conformance/client/recording.js';
import { type ClientSetup, DEFAULT_TIMEOUT_S, type OracleClient, type RpcEnd } from './oracle-client.js';

const POLL_MS = 50;

/**
 * Runs a scenario with this project's client with `--as c-core`, over real connections. It predicts calls as `explain`
 * does; its CSDS is fetched over a socket.
 */
export class OwnClient implements OracleClient {
  readonly #client: EngineClient;
  readonly #server: CsdsServer;
  readonly #csds: CsdsClient;

  private constructor(client: EngineClient, server: CsdsServer) {
    this.#client = client;
    this.#server = server;
    const tls = { plaintext: true, insecure: false, cacert: undefined, cert: undefined, key: undefined };
    const limits = { authority: undefined, connectTimeoutMs: 10_000, timeoutMs: 20_000 };
    this.#csds = csdsClient(server.address, { ...tls, ...limits });
  }

  static async start(preset: Preset, { variables, backends }: ClientSetup): Promise<OwnClient> {
    const { policies } = PRESETS[preset];
    const transport = new GrpcTransport({ maxResponseBytes: policies.maxResponseBytes });
    const client = new EngineClient({
      preset,
      variables,
      backends,
      ports: { clock: systemClock, transport, dns: systemDns },
      interfaces: interfacesByName(),
    });
    const server = await serveCsds('127.0.0.1', 0, (request) =>
      respondToStatusRequest(request, client.csdsStates(), policies),
    );
    return new OwnClient(client, server);
  }

  async connect(step: Step): Promise<void> {
    this.#client.connect(step);
  }

  async closeChannel(step: Step): Promise<void> {
    this.#client.closeChannel(step);
  }

  async serve(address: string): Promise<void> {
    this.#client.serve(address);
  }

  /** Predicts a call again and again until it would not be queued, or until its deadline. */
  async rpc(step: Step): Promise<RpcEnd> {
    const end = Date.now() + (step.timeout ?? DEFAULT_TIMEOUT_S) * 1000;
    for (;;) {
      const predicted = this.#client.predict(step);
      const isOver = predicted.code !== 'DEADLINE_EXCEEDED' || predicted.limit !== undefined;
      if (isOver || Date.now() >= end) return predicted;
      await sleep(POLL_MS);
      this.#client.checkQueued();
    }
  }

  async startRpc(step: Step): Promise<void> {
    this.#client.queue(step);
  }

  async joinRpc(): Promise<undefined> {
    this.#client.checkQueued();
  }

  /** Calls that stay open are not predicted. */
  async stream(): Promise<void> {}

  async endStream(): Promise<undefined> {}

  async csds(): Promise<Uint8Array> {
    this.#client.checkQueued();
    const response = await this.#csds.fetch(statusRequest([]));
    if ('failure' in response) throw new Error(`CSDS fails: ${response.failure.message}`);
    return response.bytes;
  }

  async stop(): Promise<void> {
    this.#csds.close();
    this.#server.close();
    this.#client.close();
  }
}

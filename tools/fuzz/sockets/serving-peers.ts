import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../../src/core/event.js';
import type { CsdsClientState } from '../../../src/csds/client-status.js';
import { Engine } from '../../../src/engine/engine.js';
import { Session } from '../../../src/engine/session.js';
import { ControlPlaneHost } from '../../../src/io/control-plane-host.js';
import { GrpcTransport } from '../../../src/io/grpc-transport.js';
import { serveState } from '../../../src/io/serve-state.js';
import { systemClock } from '../../../src/io/system-clock.js';
import { ControlPlane } from '../../../src/scenario/control-plane.js';
import { readScenario } from '../../../src/scenario/read-scenario.js';
import { controlPlaneLine } from '../../../src/view/control-plane-line.js';
import { FIXTURES } from '../files/seed-files.js';
import { checkOutput } from '../outputs.js';
import { require } from '../violation.js';

const HOST = '127.0.0.1';
const NODE = { id: 'fuzz', userAgentName: 'fuzz', userAgentVersion: '0' };
const MAX_LINE_BYTES = 1_000_000;

/** A client on real sockets that watches the listener `greeter`. Its events are kept until it is closed. */
export class LiveClient {
  readonly events: Event[] = [];
  readonly #engine: Engine;
  readonly #session: Session;

  constructor(address: string) {
    this.#engine = new Engine({
      servers: [{ uri: address, creds: { type: 'insecure' }, callCreds: [] }],
      node: NODE,
      seed: 1,
    });
    this.#session = new Session(this.#engine, {
      clock: systemClock,
      transport: new GrpcTransport(),
      dns: { resolve: async () => ({ failure: 'no DNS' }) },
      log: { append: (event) => this.events.push(event) },
    });
    this.#session.dispatch({ kind: 'follow', scope: 'a', target: 'a', listener: 'greeter', authority: 'a' });
  }

  get isConfigured(): boolean {
    return this.events.some((event) => event.kind === 'config' && event.change === 'published');
  }

  /** The state of the client as CSDS reports it. */
  states(): CsdsClientState[] {
    return this.#engine.snapshot().map(({ scope, entries }) => ({ scope, node: NODE, entries }));
  }

  close(): void {
    this.#session.close();
  }
}

/**
 * `serve`, and `--csds-port` of a client with a configuration, on free ports of this process. Checks every line that `serve`
 * prints.
 */
export async function startServers(): Promise<{ ads: string; csds: string; close(): void }> {
  const read = readScenario(readFileSync(join(FIXTURES, 'scenarios/causes/ok.yaml'), 'utf8'), () => ({ failure: '' }));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const host = new ControlPlaneHost(read.scenario, new ControlPlane(read.scenario), {
    host: HOST,
    port: 0,
    clock: systemClock,
    onEvent: (event) =>
      checkOutput({ text: controlPlaneLine(event).text, format: undefined, source: 'serve' }, MAX_LINE_BYTES),
    onFailure: (error) => {
      throw error;
    },
  });
  await host.reserve();
  await host.start();
  const ads = [...host.addresses.values()][0] as string;
  const client = new LiveClient(ads);
  await until(() => client.isConfigured, 'a configuration for the client with a CSDS port');
  const printed: string[] = [];
  const out = {
    env: { variables: {}, clock: systemClock, version: '0' },
    printLine: (line: string) => void printed.push(line),
    remark: () => {},
  };
  const options = { csdsPort: '0', as: 'spec', showSecrets: false } as const;
  const closeCsds = await serveState({ csds: () => client.states(), metrics: [] }, options, out, () => client.close());
  return {
    ads,
    csds: printed[0]?.replace('CSDS on ', '') ?? '',
    close: () => {
      closeCsds();
      host.close();
    },
  };
}

/** Much longer than a correct peer takes on a busy machine. */
const PATIENCE_MS = 60_000;

/** Waits until a condition holds; fails the oracle if it never does. */
export async function until(isMet: () => boolean, what: string): Promise<void> {
  const began = performance.now();
  while (!isMet()) {
    require(performance.now() - began < PATIENCE_MS, 'still-serves', () => `${what} does not happen`);
    await pause(5);
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

import type { Bootstrap } from '../../src/bootstrap/bootstrap.js';
import { readBootstrap } from '../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../src/bootstrap/switches.js';
import type { Event } from '../../src/core/event.js';
import type { Input } from '../../src/core/input.js';
import { Engine } from '../../src/engine/engine.js';
import { type ClientEnvironment, engineOptions } from '../../src/engine/options.js';
import { type EncoderOptions, headerLine, RecordingEncoder } from '../../src/engine/recording/encoder.js';
import { recordingHeader } from '../../src/engine/recording/header.js';
import { Session } from '../../src/engine/session.js';
import { ControlPlane } from '../../src/scenario/control-plane.js';
import { MemoryNetwork, memoryUri } from '../../src/scenario/memory-network.js';
import type { Scenario } from '../../src/scenario/scenario.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';
import { noDns } from './simulate.js';

/** The start time of recorded simulations. */
export const START = Date.UTC(2026, 0, 2, 3, 4, 5);

export interface RecordOptions extends EncoderOptions {
  features?: string[];
  metadata?: Record<string, unknown>;
  keepsSecrets?: boolean;
  /** The delay of timers. */
  lateMs?: number;
}

/** A client and a scripted control plane in memory, with a recording of the session. */
export class RecordedSimulation {
  readonly clock = new VirtualClock(START);
  readonly events: Event[] = [];
  readonly lines: string[] = [];
  readonly engine: Engine;
  readonly session: Session;
  readonly #encoder: RecordingEncoder;

  constructor(scenario: Scenario, options: RecordOptions = {}) {
    const bootstrap = bootstrapOf(scenario, options);
    const environment: ClientEnvironment = {
      preset: 'spec',
      variables: {},
      userAgentName: 'test',
      userAgentVersion: '0',
      interfaces: new Map([['lo', 1]]),
      seed: 7,
    };
    this.engine = new Engine(engineOptions(bootstrap, environment));
    const { keepsSecrets = false, lateMs = 0 } = options;
    const header = recordingHeader(
      { bootstrap, source: 'a test', environment, tearGraceMs: undefined, start: START, keepsSecrets },
      '1.2.3',
    );
    this.lines.push(headerLine(header));
    this.#encoder = new RecordingEncoder(header, options);
    this.session = new Session(this.engine, {
      clock: { now: () => this.clock.now(), wakeAt: (at, wake) => this.clock.wakeAt(at + lateMs, wake) },
      transport: new MemoryNetwork(scenario, new ControlPlane(scenario), this.clock, () => {}),
      dns: noDns,
      log: { append: (event) => this.events.push(event) },
      record: (input, at) => this.lines.push(this.#encoder.input(input, at)),
    });
  }

  /** By default, the listener has the name of the target. */
  follow(target: string, listener = target): void {
    this.session.dispatch(followInput(target, listener));
    this.clock.settle();
  }

  /** Ends the recording and returns its text. */
  finish(): string {
    this.lines.push(this.#encoder.end('closed', this.clock.now()));
    return this.lines.join('');
  }
}

function followInput(target: string, listener: string): Input {
  const authority = target.startsWith('#server') ? undefined : listener;
  return { kind: 'follow', scope: target, target, listener, authority };
}

function bootstrapOf(scenario: Scenario, { features = [], metadata = {} }: RecordOptions): Bootstrap {
  const { servers, authorities, nodeId } = scenario;
  const entry = (name: string): object => ({
    server_uri: memoryUri(name),
    channel_creds: [{ type: 'insecure' }],
    server_features: features,
  });
  const own = new Set([...authorities.values()].flat());
  const text = JSON.stringify({
    xds_servers: servers
      .map(({ name }) => name)
      .filter((name) => !own.has(name))
      .map(entry),
    authorities: Object.fromEntries([...authorities].map(([name, all]) => [name, { xds_servers: all.map(entry) }])),
    node: { id: nodeId, metadata },
  });
  const read = readBootstrap(new TextEncoder().encode(text), readSwitches({}, 'spec'));
  if (!read.ok) throw new Error(read.message);
  return read.bootstrap;
}

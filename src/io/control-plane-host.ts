import type { Machine } from '../core/machine.js';
import type { Clock } from '../engine/ports.js';
import type { PlaneEffect, PlaneEvent, PlaneInput, PlaneStreamId } from '../scenario/plane-io.js';
import type { Scenario } from '../scenario/scenario.js';
import { AdsServer } from './ads-server.js';

export interface ControlPlaneHostOptions {
  host: string;
  /** Port of the first server. Further servers use the next ports. 0 selects free ports. */
  port: number;
  clock: Clock;
  onEvent: (event: PlaneEvent) => void;
  /** Called if a server cannot listen after a state change. */
  onFailure: (error: Error) => void;
}

/** Runs a control plane over sockets: one ADS server for each server of the scenario. */
export class ControlPlaneHost {
  readonly #plane: Machine<PlaneInput, PlaneEffect>;
  readonly #options: ControlPlaneHostOptions;
  readonly #servers = new Map<string, AdsServer>();
  readonly #owners = new Map<PlaneStreamId, AdsServer>();
  readonly #queue: PlaneInput[] = [];
  #lastStream = 0;
  #draining = false;
  #cancelAlarm: () => void = () => {};
  #opening: Promise<void>[] = [];
  #closed = false;

  constructor(scenario: Scenario, plane: Machine<PlaneInput, PlaneEffect>, options: ControlPlaneHostOptions) {
    this.#plane = plane;
    this.#options = options;
    for (const { name } of scenario.servers) this.#servers.set(name, this.#makeServer(name));
  }

  /** Chooses all ports. Throws a BindFailure if one is not available. Each is reserved until all are chosen. */
  async reserve(): Promise<void> {
    const releases: (() => Promise<void>)[] = [];
    try {
      let port = this.#options.port;
      for (const server of this.#servers.values()) {
        releases.push(await server.reserve(port));
        if (port !== 0) port++;
      }
    } finally {
      await Promise.all(releases.map((release) => release()));
    }
  }

  /** Starts the scenario. Resolves when all servers that should listen do. */
  async start(): Promise<void> {
    this.enqueue({ kind: 'start' });
    await Promise.all(this.#opening.splice(0));
  }

  /** Host and port of each server, by name. */
  get addresses(): Map<string, string> {
    return new Map([...this.#servers].map(([name, server]) => [name, server.address]));
  }

  enqueue(input: PlaneInput): void {
    if (this.#closed) return;
    this.#queue.push(input);
    if (this.#draining) return;
    this.#draining = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#handle(next);
    this.#draining = false;
    this.#cancelAlarm();
    const at = this.#plane.nextDeadline();
    this.#cancelAlarm =
      at === undefined ? () => {} : this.#options.clock.wakeAt(at, () => this.enqueue({ kind: 'tick' }));
  }

  close(): void {
    this.#closed = true;
    this.#cancelAlarm();
    for (const server of this.#servers.values()) server.close();
  }

  #makeServer(name: string): AdsServer {
    const server = new AdsServer(this.#options.host, {
      newStream: () => ++this.#lastStream,
      onOpen: (stream) => {
        this.#owners.set(stream, server);
        this.enqueue({ kind: 'stream-opened', server: name, stream });
      },
      onRequest: (stream, bytes) => this.enqueue({ kind: 'request', stream, bytes }),
      onEnd: (stream) => {
        this.#owners.delete(stream);
        this.enqueue({ kind: 'stream-ended', stream });
      },
    });
    return server;
  }

  #handle(input: PlaneInput): void {
    for (const effect of this.#plane.handle(input, this.#options.clock.now())) {
      if (effect.kind === 'event') this.#options.onEvent(effect.event);
      else if (effect.kind === 'send') this.#owners.get(effect.stream)?.send(effect.stream, effect.bytes);
      else if (effect.kind === 'close') this.#owners.get(effect.stream)?.end(effect.stream, effect.status);
      else if (effect.kind === 'reads') this.#servers.get(effect.server)?.holdReads(effect.hold);
      else this.#enter(effect.server, effect.state);
    }
  }

  #enter(name: string, state: Parameters<AdsServer['enter']>[0]): void {
    const entered = (this.#servers.get(name) as AdsServer).enter(state);
    this.#opening.push(entered);
    entered.catch(this.#options.onFailure);
  }
}

import type { Status } from '../../src/base/status.js';
import type { Event } from '../../src/core/event.js';
import { Engine } from '../../src/engine/engine.js';
import type { Connection, StreamListener } from '../../src/engine/ports.js';
import { Session } from '../../src/engine/session.js';
import { DiscoveryRequest, DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode, encode } from '../../src/proto/message-type.js';
import { RESOURCE_TYPES, shortType } from '../../src/proto/resource-types.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';
import { bytesOf } from '../resources/validate.js';
import { noDns } from '../support/simulate.js';

type Type = keyof typeof RESOURCE_TYPES;

/** The latency of a message in each direction. */
const LATENCY_MS = 3;

/** A control plane with virtual time that the test controls, and a client that follows the target `l`. */
export class Plane {
  readonly clock = new VirtualClock(1000);
  readonly events: Event[] = [];
  readonly engine: Engine;
  readonly session: Session;
  readonly servers = new Map<string, Server>();

  constructor({ servers = ['p'], features = [] as string[], tearGraceMs = 200, policies = undefined as never } = {}) {
    for (const name of servers) this.servers.set(name, new Server(this.clock));
    this.engine = new Engine({
      servers: servers.map((uri) => ({ uri, creds: { type: 'insecure' }, callCreds: [], features: new Set(features) })),
      node: { id: 'n', userAgentName: '', userAgentVersion: '' },
      authorities: new Map([['', { servers: [] }]]),
      seed: 1,
      tearGraceMs,
      ...(policies !== undefined && { policies }),
    });
    this.session = new Session(this.engine, {
      clock: this.clock,
      transport: {
        connect: ({ uri }, onState) => (this.servers.get(uri) as Server).connect(onState),
      },
      dns: noDns,
      log: { append: (event) => this.events.push(event) },
    });
  }

  get server(): Server {
    return [...this.servers.values()][0] as Server;
  }

  follow(): void {
    this.session.dispatch({ kind: 'follow', scope: 's', target: 't', listener: 'l', authority: 'any' });
    this.pass(100);
  }

  pass(ms: number): void {
    this.clock.advanceBy(ms);
  }

  get channel() {
    const channel = this.engine.snapshot()[0]?.channels[0];
    if (channel === undefined) throw new Error('no target is followed');
    return channel;
  }

  /** The time of the last response of a type. */
  lastResponseAt(type: Type): number {
    const event = this.events.findLast((one) => one.kind === 'response' && shortType(one.typeUrl) === type);
    return event?.at ?? Number.NaN;
  }
}

class Server {
  readonly #clock: VirtualClock;
  readonly #resources = new Map<string, { name: string; bytes: Uint8Array }>();
  readonly #errors = new Map<string, Status>();
  readonly #streams = new Set<ServerStream>();
  readonly #waiting = new Set<() => void>();
  isUp = true;
  #version = 0;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Changes a served resource. Clients receive it with the next push or response. */
  set(type: Type, name: string, json: object | undefined): this {
    if (json === undefined) this.#resources.delete(`${type} ${name}`);
    else this.#resources.set(`${type} ${name}`, { name, bytes: bytesOf(type, json) });
    return this;
  }

  /** Replaces a resource with a reported error (xRFC TP3). */
  reportError(type: Type, name: string, status: Status): this {
    this.#errors.set(`${type} ${name}`, status);
    return this.set(type, name, undefined);
  }

  push(type: Type): void {
    for (const stream of this.#streams) stream.respond(type);
  }

  /** Closes all connections and refuses new ones. */
  goDown(): void {
    this.isUp = false;
    for (const stream of [...this.#streams]) stream.end();
  }

  comeUp(): void {
    this.isUp = true;
    for (const start of this.#waiting) start();
    this.#waiting.clear();
  }

  connect(onState: (state: 'ready' | 'transient-failure', reason: string) => void): Connection {
    const later = (then: () => void): void => void this.#clock.wakeAt(this.#clock.now() + 1, then);
    return {
      open: (_method, listener) => {
        const stream = new ServerStream(this, this.#clock, listener);
        const start = (): void => {
          onState('ready', '');
          this.#streams.add(stream);
          stream.start();
        };
        if (this.isUp) later(start);
        else {
          later(() => onState('transient-failure', 'down'));
          this.#waiting.add(start);
        }
        return stream;
      },
      close: () => {},
    };
  }

  removeStream(stream: ServerStream): void {
    this.#streams.delete(stream);
  }

  response(type: Type, names: ReadonlySet<string>): DiscoveryResponse {
    const typeUrl = RESOURCE_TYPES[type];
    const version = String(++this.#version);
    const served = [...names].flatMap((name) => this.#resources.get(`${type} ${name}`) ?? []);
    const resources = served.map(({ bytes }) => ({ typeUrl, value: bytes }));
    const resourceErrors = [...names].flatMap((name) => {
      const status = this.#errors.get(`${type} ${name}`);
      return status === undefined ? [] : [{ resourceName: { name }, errorDetail: { ...status, details: [] } }];
    });
    return DiscoveryResponse.create({ typeUrl, versionInfo: version, nonce: version, resources, resourceErrors });
  }
}

class ServerStream {
  readonly #server: Server;
  readonly #clock: VirtualClock;
  readonly #listener: StreamListener;
  readonly #names = new Map<Type, Set<string>>();
  readonly #inbox: Uint8Array[] = [];
  readonly #outbox: Uint8Array[] = [];
  #isStarted = false;
  #hasEnded = false;
  #isReading = false;

  constructor(server: Server, clock: VirtualClock, listener: StreamListener) {
    this.#server = server;
    this.#clock = clock;
    this.#listener = listener;
  }

  start(): void {
    this.#isStarted = true;
    for (const message of this.#outbox.splice(0)) this.#deliver(message);
  }

  send(message: Uint8Array): void {
    if (this.#isStarted) this.#deliver(message);
    else this.#outbox.push(message);
  }

  read(): void {
    this.#isReading = true;
    this.#pump();
  }

  cancel(): void {
    this.#hasEnded = true;
    this.#server.removeStream(this);
  }

  end(): void {
    this.#server.removeStream(this);
    this.#later(1, () => {
      this.#hasEnded = true;
      this.#listener.onEnd({ code: 14, message: 'lost' });
    });
  }

  respond(type: Type): void {
    const names = this.#names.get(type);
    if (names === undefined) return;
    const bytes = encode(DiscoveryResponse, this.#server.response(type, names));
    this.#later(LATENCY_MS, () => {
      this.#inbox.push(bytes);
      this.#pump();
    });
  }

  #deliver(message: Uint8Array): void {
    this.#later(0, () => this.#listener.onSent());
    this.#later(LATENCY_MS, () => {
      const decoded = decode(DiscoveryRequest, message);
      if (!decoded.ok) throw new Error(decoded.reason);
      const type = shortType(decoded.value.typeUrl) as Type;
      const before = this.#names.get(type) ?? new Set();
      const names = new Set(decoded.value.resourceNames);
      this.#names.set(type, names);
      if ([...names].some((name) => !before.has(name))) this.respond(type);
    });
  }

  #pump(): void {
    const next = this.#isReading ? this.#inbox.shift() : undefined;
    if (next === undefined || this.#hasEnded) return;
    this.#isReading = false;
    this.#listener.onMessage(next);
  }

  #later(ms: number, then: () => void): void {
    this.#clock.wakeAt(this.#clock.now() + ms, () => this.#hasEnded || then());
  }
}

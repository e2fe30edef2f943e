import { type StatusName, statusCode, statusName } from '../../../src/base/status.js';
import { PRESETS } from '../../../src/bootstrap/presets.js';
import type { Preset } from '../../../src/bootstrap/switches.js';
import type { AuthorityServers } from '../../../src/core/authority.js';
import type { Effect, Notification, ServerTarget } from '../../../src/core/effect.js';
import type { ConnectivityState, Input, ReadingId, StreamId, WatcherId } from '../../../src/core/input.js';
import type { CacheEntry } from '../../../src/core/resource-cache.js';
import type { WatcherUpdate } from '../../../src/core/watcher.js';
import { genericConfigs } from '../../../src/csds/client-config.js';
import type { ConfigState } from '../../../src/deps/config.js';
import { resolutionNote } from '../../../src/deps/notes.js';
import { Engine, type EngineOptions } from '../../../src/engine/engine.js';
import {
  DiscoveryRequest,
  DiscoveryResponse,
  ResourceError,
  ResourceName,
} from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../../../src/proto/generated/google.protobuf.js';
import { Status } from '../../../src/proto/generated/google.rpc.js';
import { decode, encode } from '../../../src/proto/message-type.js';
import { shortType, typeUrlOf } from '../../../src/proto/resource-types.js';
import { readResourceSwitches } from '../../../src/resources/context.js';
import { labelOf, type Short } from './resources.js';

const SCOPE = 'test';
/** What errors end with when watchers hear of them. */
export const NODE = ' (node ID:me)';

type Server = string | { uri: string; features: string[] };

export interface HarnessOptions {
  servers?: Server[];
  authorities?: Record<string, Server[]>;
  /** Data errors as A88 has them; on unless said otherwise. */
  a88?: boolean;
  federation?: boolean;
  /** Takes the place of all of the above. */
  engine?: Omit<EngineOptions, 'policies' | 'seed'>;
  preset?: Preset;
}

/** An error that a server reports for one resource. */
interface Reported {
  name?: string;
  code?: StatusName;
  message?: string;
}

interface Response {
  version?: string;
  nonce?: string;
  resources?: Any[];
  errors?: Reported[];
}

/** One ADS stream as the other side sees it. */
export interface Wire {
  id: StreamId;
  channel: number;
  server: string;
  isOpen: boolean;
  /** A request was handed over and has not left. */
  isWriting: boolean;
  /** The client has asked for the next message. */
  isReading: boolean;
  requests: DiscoveryRequest[];
  /** What the server has sent and the client has not read. */
  inbox: Uint8Array[];
}

function target(server: Server): ServerTarget {
  const { uri, features } = typeof server === 'string' ? { uri: server, features: [] } : server;
  return { uri, creds: { type: 'insecure' }, callCreds: [], features: new Set(features) };
}

function engineOptions({ servers = ['default'], authorities = {}, a88 = true, federation = true }: HarnessOptions) {
  const map = new Map<string, AuthorityServers>();
  for (const [name, own] of Object.entries(authorities)) map.set(name, { servers: own.map(target) });
  return {
    servers: servers.map(target),
    authorities: map,
    node: { id: 'me', userAgentName: 'test', userAgentVersion: '0' },
    context: {
      switches: { ...readResourceSwitches({}, a88), federation },
      certificateProviders: undefined,
      allowedGrpcServices: new Set<string>(),
      interfaces: new Map<string, number>(),
    },
  };
}

export function newEngine(setting: HarnessOptions): Engine {
  const options = setting.engine ?? engineOptions(setting);
  return new Engine({ ...options, seed: 1, policies: PRESETS[setting.preset ?? 'spec'].policies });
}

/**
 * An engine on a clock of its own, between watchers and servers that do only what a test says. Writes complete and
 * watchers are done at once unless they are held back. What no client may ever do on a stream fails the test, whatever
 * it is about: a second write or read at a time, anything on a stream that is over, a node that is said again.
 */
export class Bench {
  readonly engine: Engine;
  readonly preset: Preset;
  now = 0;
  /** Requests stay on their way until this is false again and `complete` is called. */
  holdsWrites = false;
  /** Watchers keep what they were told by a response until `release`. */
  holdsReadings = false;
  /** Everything the engine was told, and what it wanted done. */
  readonly steps: { input: Input; now: number; effects: Effect[] }[] = [];
  /** Called when the effects of an input have been carried out. */
  onStep: ((input: Input, effects: Effect[]) => void) | undefined;
  readonly wires = new Map<StreamId, Wire>();
  /** Connections by channel. */
  readonly connections = new Map<number, string>();
  readonly watchers = new Map<WatcherId, { typeUrl: string; name: string }>();
  readonly told = new Map<WatcherId, WatcherUpdate[]>();
  readonly #queue: Input[] = [];
  readonly #followed = new Set<string>();
  readonly #unseenTold = new Map<WatcherId, WatcherUpdate[]>();
  #heldReadings: ReadingId[] = [];
  #unseenRequests: string[] = [];
  #unseenCalls: string[] = [];
  #unseenTimers: string[] = [];
  #lastWatcher = 0;
  /** Servers that cannot be reached. */
  readonly #down = new Set<string>();

  constructor(setting: HarnessOptions = {}) {
    this.preset = setting.preset ?? 'spec';
    this.engine = newEngine(setting);
  }

  /** Starts to watch; the answer is how the watcher is called. */
  watch(type: Short, name: string): WatcherId {
    const watcher = ++this.#lastWatcher;
    const typeUrl = typeUrlOf(type);
    this.watchers.set(watcher, { typeUrl, name });
    this.told.set(watcher, []);
    this.#unseenTold.set(watcher, []);
    this.do({ kind: 'watch', scope: SCOPE, watcher, typeUrl, name });
    return watcher;
  }

  cancel(watcher: WatcherId): void {
    this.watchers.delete(watcher);
    this.do({ kind: 'unwatch', scope: SCOPE, watcher });
  }

  follow(target: string, listener = target): void {
    this.#followed.add(target);
    this.do({ kind: 'follow', scope: SCOPE, target, listener, authority: target });
  }

  /** The stream to a server that is open now. */
  wire(server = 'default'): Wire {
    const open = [...this.wires.values()].find((wire) => wire.isOpen && wire.server === server);
    if (open === undefined) throw new Error(`no stream to ${server} is open`);
    return open;
  }

  /** The server sends a response, which the client reads when it likes. */
  respond(type: Short, { version = '', nonce = '', resources = [], errors = [] }: Response, server = 'default'): void {
    const message = DiscoveryResponse.create({
      typeUrl: typeUrlOf(type),
      versionInfo: version,
      nonce,
      resources,
      resourceErrors: errors.map(reported),
    });
    this.send(encode(DiscoveryResponse, message), server);
  }

  send(bytes: Uint8Array, server = 'default'): void {
    const wire = this.wire(server);
    wire.inbox.push(bytes);
    this.#deliver(wire);
    this.#drain();
  }

  /** The server, or the connection, ends the stream. */
  end(code: StatusName, message: string, server = 'default'): void {
    const wire = this.wire(server);
    wire.isOpen = false;
    this.do({ kind: 'ended', stream: wire.id, status: { code: statusCode(code), message } });
  }

  /** What becomes of the connection to a server. While there is none, no request leaves. */
  connectivity(state: ConnectivityState, reason = '', server = 'default'): void {
    if (state === 'transient-failure') this.#down.add(server);
    if (state === 'ready') this.#down.delete(server);
    for (const [channel, uri] of this.connections) {
      if (uri === server) this.do({ kind: 'connectivity', channel, state, reason });
    }
    const held = [...this.wires.values()].find((wire) => wire.isOpen && wire.server === server && wire.isWriting);
    if (state === 'ready' && held !== undefined && !this.holdsWrites) this.complete(server);
  }

  /** The write under way has left. */
  complete(server = 'default'): void {
    const wire = this.wire(server);
    if (!wire.isWriting) throw new Error(`nothing is being written to ${server}`);
    wire.isWriting = false;
    this.do({ kind: 'sent', stream: wire.id });
  }

  /** The watcher that was told first of those that are not done is done. */
  release(): void {
    const reading = this.#heldReadings.shift();
    if (reading === undefined) throw new Error('all watchers are done');
    this.do({ kind: 'done', scope: SCOPE, reading });
  }

  get heldReadings(): number {
    return this.#heldReadings.length;
  }

  /** Time passes, and the engine is woken whenever it wants to be. */
  advance(milliseconds: number): void {
    const until = this.now + milliseconds;
    for (let due = this.engine.nextDeadline(); due !== undefined && due <= until; due = this.engine.nextDeadline()) {
      this.now = Math.max(this.now, due);
      this.do({ kind: 'tick' });
    }
    this.now = until;
  }

  /** What a watcher was told since the last question: `RC(6)`, `RE(CODE: message)`, `AE(CODE: message)`, `AE(OK)`. */
  heard(watcher: WatcherId): string[] {
    return (this.#unseenTold.get(watcher) ?? []).splice(0).map(toldText);
  }

  /** Requests since the last question, in order: `server type{names; version; nonce}`. */
  requests(): string[] {
    return this.#unseenRequests.splice(0);
  }

  /** Connections and streams since the last question that were opened or let go of. */
  calls(): string[] {
    return this.#unseenCalls.splice(0);
  }

  /** Waits for resources since the last question that have begun or come to their end. */
  timers(): string[] {
    return this.#unseenTimers.splice(0);
  }

  entries(): readonly CacheEntry[] {
    return this.engine.snapshot()[0]?.entries ?? [];
  }

  /** What CSDS shows: `type name status`, then version and time of the resource, and of the error. */
  csds(): string[] {
    return genericConfigs(this.entries()).map(({ typeUrl, name, clientStatus, ...rest }) => {
      const { versionInfo, lastUpdated, errorState } = rest;
      const data = versionInfo === undefined ? '' : `, ${versionInfo} at ${lastUpdated}`;
      const when =
        errorState?.versionInfo === undefined ? '' : ` ${errorState.versionInfo} at ${errorState.lastUpdateAttempt}`;
      const error = errorState === undefined ? '' : `, error${when}: ${errorState.details}`;
      return `${shortType(typeUrl)} ${name} ${clientStatus}${data}${error}`;
    });
  }

  /** All metrics, those of zero left out. */
  metrics(): Record<'connected' | 'failures' | 'valid' | 'invalid' | 'resources', string[]> {
    const metrics = this.engine.snapshot()[0]?.metrics;
    const lines = (counts: { value: number }[] = []): string[] =>
      counts.flatMap(({ value, ...labels }) =>
        value === 0
          ? []
          : [
              `${Object.values(labels)
                .map((label) => shortType(`type.googleapis.com/${label}`).replace('type.googleapis.com/', ''))
                .join(' ')} ${value}`,
            ],
      );
    return {
      connected: (metrics?.connected ?? []).map(({ server, value }) => `${server} ${value ? 1 : 0}`),
      failures: lines(metrics?.serverFailure),
      valid: lines(metrics?.resourceUpdatesValid),
      invalid: lines(metrics?.resourceUpdatesInvalid),
      resources: lines(metrics?.resources),
    };
  }

  /** What becomes of an RPC to a target that is sent to a cluster: `ok`, with what it is sent by; or its error. */
  rpc(target: string, cluster = 'c'): string {
    const channel = this.engine.snapshot()[0]?.channels.find((one) => one.target === target);
    return channel === undefined ? 'no channel' : rpcText(channel.state, cluster);
  }

  /** Nobody wants anything any more: all streams and connections have to be let go of. */
  close(): void {
    for (const watcher of [...this.watchers.keys()]) this.cancel(watcher);
    for (const target of this.#followed) this.do({ kind: 'unfollow', scope: SCOPE, target });
    const open = [...this.wires.values()].filter(({ isOpen }) => isOpen);
    const left = {
      streams: open.map(({ server }) => server),
      connections: [...this.connections.values()],
      deadline: this.engine.nextDeadline(),
      clients: this.engine.snapshot().length,
    };
    const nothing = { streams: [], connections: [], deadline: undefined, clients: 0 };
    if (JSON.stringify(left) !== JSON.stringify(nothing)) throw new Error(`still there: ${JSON.stringify(left)}`);
  }

  /** Hands an input to the engine, and whatever follows from it at once. */
  do(input: Input): void {
    this.#queue.push(input);
    this.#drain();
  }

  #drain(): void {
    for (let input = this.#queue.shift(); input !== undefined; input = this.#queue.shift()) {
      const effects = this.engine.handle(input, this.now);
      this.steps.push({ input, now: this.now, effects });
      for (const effect of effects) this.#carryOut(effect);
      this.onStep?.(input, effects);
    }
  }

  #carryOut(effect: Effect): void {
    switch (effect.kind) {
      case 'connect':
        this.connections.set(effect.channel, effect.server.uri);
        this.#unseenCalls.push(`connect ${effect.server.uri}`);
        break;
      case 'disconnect':
        this.#unseenCalls.push(`disconnect ${this.connections.get(effect.channel)}`);
        if (!this.connections.delete(effect.channel)) throw new Error('disconnected without a connection');
        break;
      case 'open':
        this.#open(effect.stream, effect.channel);
        break;
      case 'send':
        this.#write(this.#openWire(effect.stream, 'written'), effect.bytes);
        break;
      case 'read':
        this.#read(this.#openWire(effect.stream, 'read'));
        break;
      case 'cancel': {
        const wire = this.#openWire(effect.stream, 'cancelled');
        wire.isOpen = false;
        this.#unseenCalls.push(`cancel ${wire.server}`);
        break;
      }
      case 'notify':
        this.#notify(effect);
        break;
      case 'event':
        if (effect.event.kind === 'timer') {
          const { change, typeUrl, names, milliseconds } = effect.event;
          this.#unseenTimers.push(
            `${change} ${shortType(typeUrl)} ${names.join(',')}${milliseconds === undefined ? '' : ` ${milliseconds}`}`,
          );
        }
        break;
      default:
        throw new Error(`nobody here can ${effect.kind}`);
    }
  }

  #open(id: StreamId, channel: number): void {
    const server = this.connections.get(channel);
    if (server === undefined) throw new Error(`stream ${id} opened without a connection`);
    if ([...this.wires.values()].some((wire) => wire.isOpen && wire.channel === channel))
      throw new Error(`a second stream to ${server}`);
    const wire = { id, channel, server, isOpen: true, isWriting: false, isReading: false, requests: [], inbox: [] };
    this.wires.set(id, wire);
    this.#unseenCalls.push(`open ${server}`);
  }

  #openWire(id: StreamId, what: string): Wire {
    const wire = this.wires.get(id);
    if (wire === undefined || !wire.isOpen) throw new Error(`stream ${id} is ${what} when it is over`);
    return wire;
  }

  #write(wire: Wire, bytes: Uint8Array): void {
    if (wire.isWriting) throw new Error(`two writes at a time to ${wire.server}`);
    const decoded = decode(DiscoveryRequest, bytes);
    if (!decoded.ok) throw new Error(decoded.reason);
    const request = decoded.value;
    const isFirst = wire.requests.length === 0;
    if (isFirst !== (request.node?.id === 'me'))
      throw new Error(`${isFirst ? 'no node in the first request' : 'the node again'} to ${wire.server}`);
    wire.requests.push(request);
    this.#unseenRequests.push(`${wire.server} ${requestText(request)}`);
    wire.isWriting = true;
    if (this.holdsWrites || this.#down.has(wire.server)) return;
    wire.isWriting = false;
    this.#queue.push({ kind: 'sent', stream: wire.id });
  }

  #read(wire: Wire): void {
    if (wire.isReading) throw new Error(`two reads at a time from ${wire.server}`);
    wire.isReading = true;
    this.#deliver(wire);
  }

  #deliver(wire: Wire): void {
    const [bytes] = wire.inbox;
    if (bytes === undefined || !wire.isReading) return;
    wire.inbox.shift();
    wire.isReading = false;
    this.#queue.push({ kind: 'message', stream: wire.id, bytes });
  }

  #notify({ watcher, update, reading }: Notification): void {
    if (!this.watchers.has(watcher)) throw new Error(`watcher ${watcher} is told something after it was cancelled`);
    this.told.get(watcher)?.push(update);
    this.#unseenTold.get(watcher)?.push(update);
    if (reading === undefined) return;
    if (this.holdsReadings) this.#heldReadings.push(reading);
    else this.#queue.push({ kind: 'done', scope: SCOPE, reading });
  }
}

/** A test that has to hold for both sets of policies, unless the setting names one; at its end everything is let go of. */
export function scenario(setting: HarnessOptions, body: (bench: Bench) => void): () => void {
  const presets: Preset[] = setting.preset === undefined ? ['spec', 'c-core'] : [setting.preset];
  return () => {
    for (const preset of presets) {
      const bench = new Bench({ ...setting, preset });
      body(bench);
      bench.close();
    }
  };
}

function reported({ name, code, message = '' }: Reported): ResourceError {
  return ResourceError.create({
    resourceName: name === undefined ? undefined : ResourceName.create({ name }),
    errorDetail: code === undefined ? undefined : Status.create({ code: statusCode(code), message }),
  });
}

function requestText({
  typeUrl,
  resourceNames,
  versionInfo,
  responseNonce,
  node,
  errorDetail,
}: DiscoveryRequest): string {
  const text = `${shortType(typeUrl)}{${resourceNames.join(',')}; ${versionInfo || '-'}; ${responseNonce || '-'}}`;
  const error = errorDetail === undefined ? '' : ` NACK ${statusName(errorDetail.code)}: ${errorDetail.message}`;
  return `${text}${node === undefined ? '' : ' node'}${error}`;
}

function toldText(told: WatcherUpdate): string {
  if ('resource' in told) return `RC(${labelOf(told.resource)})`;
  const kind = told.kind === 'OnAmbientError' ? 'AE' : 'RE';
  return told.error === undefined ? `${kind}(OK)` : `${kind}(${statusName(told.error.code)}: ${told.error.message})`;
}

function rpcText(state: ConfigState, name: string): string {
  if (state.kind === 'error') return `UNAVAILABLE: empty address list (${state.message})`;
  if (state.kind !== 'published') return state.kind;
  const cluster = state.config.clusters.get(name);
  if (cluster === undefined) return 'no such cluster';
  if (cluster.kind === 'error') return `UNAVAILABLE: ${cluster.message}`;
  const note = resolutionNote(state.config, cluster, 'me');
  const endpoints = cluster.kind === 'endpoints' ? cluster.endpoints.endpoints : undefined;
  if (endpoints === undefined) return `UNAVAILABLE: no children in weighted_target policy (${note})`;
  return `ok ${state.config.routeConfigName} ${labelOf({ type: 'EDS', value: endpoints })}`;
}

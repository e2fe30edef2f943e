import { type StatusName, statusCode, statusName } from '../../../src/base/status.js';
import type { Policies } from '../../../src/bootstrap/policies.js';
import { PRESETS, policiesOf } from '../../../src/bootstrap/presets.js';
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
/** The suffix of errors that watchers receive. */
export const NODE = ' (node ID:me)';

type Server = string | { uri: string; features: string[] };

export interface HarnessOptions {
  servers?: Server[];
  authorities?: Record<string, Server[]>;
  /** Data error handling of A88. Default: true. */
  a88?: boolean;
  federation?: boolean;
  /** Overrides all options above. */
  engine?: Omit<EngineOptions, 'policies' | 'seed'>;
  preset?: Preset;
  /** Overrides policies of the preset. */
  policies?: Partial<Policies>;
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

/** The server side of one ADS stream. */
export interface ServerStream {
  id: StreamId;
  channel: number;
  server: string;
  isOpen: boolean;
  /** A request was passed to the transport and is not sent yet. */
  isWriting: boolean;
  /** The client waits for the next message. */
  isReading: boolean;
  requests: DiscoveryRequest[];
  /** Messages that the server has sent and the client has not read. */
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
  return new Engine({ ...options, seed: 1, policies: policiesIn(setting) });
}

function policiesIn({ preset = 'spec', policies }: HarnessOptions): Policies {
  return { ...PRESETS[preset].policies, ...policies };
}

/**
 * An engine with a virtual clock, and watchers and servers that the test controls. Writes complete and watchers finish
 * immediately, unless the test delays them. Violations of the protocol fail every test: two writes or reads at a time,
 * an action on an ended stream, a node in a later request.
 */
export class TestClient {
  readonly engine: Engine;
  readonly preset: Preset;
  now = 0;
  /** Requests stay in flight until `complete` is called. */
  holdsWrites = false;
  /** Watchers process updates of a response until `release` is called. */
  holdsReadings = false;
  /** All inputs of the engine and their effects. */
  readonly steps: { input: Input; now: number; effects: Effect[] }[] = [];
  /** Called when the effects of an input were executed. */
  onStep: ((input: Input, effects: Effect[]) => void) | undefined;
  readonly wires = new Map<StreamId, ServerStream>();
  /** Connections by channel. */
  readonly connections = new Map<number, string>();
  readonly watchers = new Map<WatcherId, { typeUrl: string; name: string }>();
  readonly updates = new Map<WatcherId, WatcherUpdate[]>();
  readonly #queue: Input[] = [];
  readonly #followed = new Set<string>();
  readonly #newUpdates = new Map<WatcherId, WatcherUpdate[]>();
  #heldReadings: ReadingId[] = [];
  #newRequests: string[] = [];
  #newCalls: string[] = [];
  #newTimers: string[] = [];
  #lastWatcher = 0;
  /** Unreachable servers. */
  readonly #down = new Set<string>();

  readonly #csdsPolicies: Policies;

  constructor(setting: HarnessOptions = {}) {
    this.#csdsPolicies = { ...policiesOf('c-core'), ...setting.policies };
    this.preset = setting.preset ?? 'spec';
    this.engine = newEngine(setting);
  }

  /** Adds a watcher and returns its ID. */
  watch(type: Short, name: string): WatcherId {
    const watcher = ++this.#lastWatcher;
    const typeUrl = typeUrlOf(type);
    this.watchers.set(watcher, { typeUrl, name });
    this.updates.set(watcher, []);
    this.#newUpdates.set(watcher, []);
    this.handle({ kind: 'watch', scope: SCOPE, watcher, typeUrl, name });
    return watcher;
  }

  cancel(watcher: WatcherId): void {
    this.watchers.delete(watcher);
    this.handle({ kind: 'unwatch', scope: SCOPE, watcher });
  }

  follow(target: string, listener = target): void {
    this.#followed.add(target);
    this.handle({ kind: 'follow', scope: SCOPE, target, listener, authority: target });
  }

  /** The open stream to a server. */
  wire(server = 'default'): ServerStream {
    const open = [...this.wires.values()].find((wire) => wire.isOpen && wire.server === server);
    if (open === undefined) throw new Error(`no stream to ${server} is open`);
    return open;
  }

  /** The server sends a response. The client may read it later. */
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
    this.handle({ kind: 'ended', stream: wire.id, status: { code: statusCode(code), message } });
  }

  /** Changes the state of the connection to a server. Without a connection, no request is sent. */
  connectivity(state: ConnectivityState, reason = '', server = 'default'): void {
    if (state === 'transient-failure') this.#down.add(server);
    if (state === 'ready') this.#down.delete(server);
    for (const [channel, uri] of this.connections) {
      if (uri === server) this.handle({ kind: 'connectivity', channel, state, reason });
    }
    const held = [...this.wires.values()].find((wire) => wire.isOpen && wire.server === server && wire.isWriting);
    if (state === 'ready' && held !== undefined && !this.holdsWrites) this.complete(server);
  }

  /** Completes the write in flight. */
  complete(server = 'default'): void {
    const wire = this.wire(server);
    if (!wire.isWriting) throw new Error(`no write to ${server} is in flight`);
    wire.isWriting = false;
    this.handle({ kind: 'sent', stream: wire.id });
  }

  /** The first watcher that is still processing an update finishes. */
  release(): void {
    const reading = this.#heldReadings.shift();
    if (reading === undefined) throw new Error('all watchers are done');
    this.handle({ kind: 'done', scope: SCOPE, reading });
  }

  get heldReadings(): number {
    return this.#heldReadings.length;
  }

  /** Advances the clock, with a tick at every deadline. */
  advance(milliseconds: number): void {
    const until = this.now + milliseconds;
    for (let due = this.engine.nextDeadline(); due !== undefined && due <= until; due = this.engine.nextDeadline()) {
      this.now = Math.max(this.now, due);
      this.handle({ kind: 'tick' });
    }
    this.now = until;
  }

  /** Updates of a watcher since the last call: `RC(6)`, `RE(CODE: message)`, `AE(CODE: message)`, `AE(OK)`. */
  received(watcher: WatcherId): string[] {
    return (this.#newUpdates.get(watcher) ?? []).splice(0).map(updateText);
  }

  /** Requests since the last call, in order: `server type{names; version; nonce}`. */
  requests(): string[] {
    return this.#newRequests.splice(0);
  }

  /** Connections and streams that were opened or closed since the last call. */
  connectionCalls(): string[] {
    return this.#newCalls.splice(0);
  }

  /** Resource timers that started or expired since the last call. */
  timers(): string[] {
    return this.#newTimers.splice(0);
  }

  entries(): readonly CacheEntry[] {
    return this.engine.snapshot()[0]?.entries ?? [];
  }

  /** The entries in CSDS: `type name status`, then version and time of the resource and of the error. */
  csds(): string[] {
    return genericConfigs(this.entries(), this.#csdsPolicies).map(({ typeUrl, name, clientStatus, ...rest }) => {
      const { versionInfo, lastUpdated, errorState } = rest;
      const data = versionInfo === undefined ? '' : `, ${versionInfo} at ${lastUpdated}`;
      const when =
        errorState?.versionInfo === undefined ? '' : ` ${errorState.versionInfo} at ${errorState.lastUpdateAttempt}`;
      const error = errorState === undefined ? '' : `, error${when}: ${errorState.details}`;
      return `${shortType(typeUrl)} ${name} ${clientStatus}${data}${error}`;
    });
  }

  /** The types of all entries in CSDS, and whether their contents are shown. */
  csdsContents(): [type: string, hasContents: boolean][] {
    const configs = genericConfigs(this.entries(), this.#csdsPolicies);
    return configs.map(({ shownType, xdsConfig }) => [shownType, xdsConfig !== undefined]);
  }

  /** All metrics except those that are zero. */
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

  /** The outcome of an RPC that is routed to a cluster: `ok` with the routes and endpoints in use, or an error. */
  rpc(target: string, cluster = 'c'): string {
    const channel = this.engine.snapshot()[0]?.channels.find((one) => one.target === target);
    return channel === undefined ? 'no channel' : rpcText(channel.state, cluster);
  }

  /** Removes all watchers and targets. Fails if the engine leaves a stream, connection, deadline or client. */
  close(): void {
    for (const watcher of [...this.watchers.keys()]) this.cancel(watcher);
    for (const target of this.#followed) this.handle({ kind: 'unfollow', scope: SCOPE, target });
    const open = [...this.wires.values()].filter(({ isOpen }) => isOpen);
    const left = {
      streams: open.map(({ server }) => server),
      connections: [...this.connections.values()],
      deadline: this.engine.nextDeadline(),
      clients: this.engine.snapshot().length,
    };
    const none = { streams: [], connections: [], deadline: undefined, clients: 0 };
    if (JSON.stringify(left) !== JSON.stringify(none)) throw new Error(`not closed: ${JSON.stringify(left)}`);
  }

  /** Passes an input to the engine, and all inputs that its effects cause. */
  handle(input: Input): void {
    this.#queue.push(input);
    this.#drain();
  }

  #drain(): void {
    for (let input = this.#queue.shift(); input !== undefined; input = this.#queue.shift()) {
      const effects = this.engine.handle(input, this.now);
      this.steps.push({ input, now: this.now, effects });
      for (const effect of effects) this.#execute(effect);
      this.onStep?.(input, effects);
    }
  }

  #execute(effect: Effect): void {
    switch (effect.kind) {
      case 'connect':
        this.connections.set(effect.channel, effect.server.uri);
        this.#newCalls.push(`connect ${effect.server.uri}`);
        break;
      case 'disconnect':
        this.#newCalls.push(`disconnect ${this.connections.get(effect.channel)}`);
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
        this.#newCalls.push(`cancel ${wire.server}`);
        break;
      }
      case 'notify':
        this.#notify(effect);
        break;
      case 'event':
        if (effect.event.kind === 'timer') {
          const { change, typeUrl, names, milliseconds } = effect.event;
          this.#newTimers.push(
            `${change} ${shortType(typeUrl)} ${names.join(',')}${milliseconds === undefined ? '' : ` ${milliseconds}`}`,
          );
        }
        break;
      default:
        throw new Error(`unsupported effect ${effect.kind}`);
    }
  }

  #open(id: StreamId, channel: number): void {
    const server = this.connections.get(channel);
    if (server === undefined) throw new Error(`stream ${id} opened without a connection`);
    if ([...this.wires.values()].some((wire) => wire.isOpen && wire.channel === channel))
      throw new Error(`a second stream to ${server}`);
    const wire = { id, channel, server, isOpen: true, isWriting: false, isReading: false, requests: [], inbox: [] };
    this.wires.set(id, wire);
    this.#newCalls.push(`open ${server}`);
  }

  #openWire(id: StreamId, action: string): ServerStream {
    const wire = this.wires.get(id);
    if (wire === undefined || !wire.isOpen) throw new Error(`stream ${id} is ${action} after it ended`);
    return wire;
  }

  #write(wire: ServerStream, bytes: Uint8Array): void {
    if (wire.isWriting) throw new Error(`two writes at a time to ${wire.server}`);
    const decoded = decode(DiscoveryRequest, bytes);
    if (!decoded.ok) throw new Error(decoded.reason);
    const request = decoded.value;
    const isFirst = wire.requests.length === 0;
    if (isFirst !== (request.node?.id === 'me'))
      throw new Error(`${isFirst ? 'no node in the first request' : 'a node in a later request'} to ${wire.server}`);
    wire.requests.push(request);
    this.#newRequests.push(`${wire.server} ${requestText(request)}`);
    wire.isWriting = true;
    if (this.holdsWrites || this.#down.has(wire.server)) return;
    wire.isWriting = false;
    this.#queue.push({ kind: 'sent', stream: wire.id });
  }

  #read(wire: ServerStream): void {
    if (wire.isReading) throw new Error(`two reads at a time from ${wire.server}`);
    wire.isReading = true;
    this.#deliver(wire);
  }

  #deliver(wire: ServerStream): void {
    const [bytes] = wire.inbox;
    if (bytes === undefined || !wire.isReading) return;
    wire.inbox.shift();
    wire.isReading = false;
    this.#queue.push({ kind: 'message', stream: wire.id, bytes });
  }

  #notify({ watcher, update, reading }: Notification): void {
    if (!this.watchers.has(watcher)) throw new Error(`watcher ${watcher} receives an update after it was removed`);
    this.updates.get(watcher)?.push(update);
    this.#newUpdates.get(watcher)?.push(update);
    if (reading === undefined) return;
    if (this.holdsReadings) this.#heldReadings.push(reading);
    else this.#queue.push({ kind: 'done', scope: SCOPE, reading });
  }
}

/** Runs a test with both sets of policies, unless the options select one, and closes everything at its end. */
export function scenario(setting: HarnessOptions, body: (client: TestClient) => void): () => void {
  const presets: Preset[] = setting.preset === undefined ? ['spec', 'c-core'] : [setting.preset];
  return () => {
    for (const preset of presets) {
      const client = new TestClient({ ...setting, preset });
      body(client);
      client.close();
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

function updateText(update: WatcherUpdate): string {
  if ('resource' in update) return `RC(${labelOf(update.resource)})`;
  const kind = update.kind === 'OnAmbientError' ? 'AE' : 'RE';
  return update.error === undefined
    ? `${kind}(OK)`
    : `${kind}(${statusName(update.error.code)}: ${update.error.message})`;
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

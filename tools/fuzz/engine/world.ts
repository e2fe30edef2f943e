import type { Effect } from '../../../src/core/effect.js';
import type { ChannelId, Input, QueryId, ReadingId, StreamId, WatcherId } from '../../../src/core/input.js';
import type { Machine } from '../../../src/core/machine.js';
import type { WatcherUpdate } from '../../../src/core/watcher.js';
import type { EngineOptions } from '../../../src/engine/engine.js';
import type { ScopeSnapshot } from '../../../src/engine/scope.js';
import type { ProtocolFinding } from '../../../src/findings/finding.js';
import { DiscoveryRequest } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../../src/proto/message-type.js';
import { require } from '../violation.js';
import { newWire, type Wire } from './wire.js';

/** The engine, or one with a planted bug. */
export interface EngineUnderTest extends Machine<Input, Effect> {
  snapshot(): ScopeSnapshot[];
  findings(): ProtocolFinding[];
}

export type MakeEngine = (options: EngineOptions) => EngineUnderTest;

/** Checks rules after every step. Each throws a Violation. */
export interface Check {
  /** Called for each effect, in order, after the world has executed it. */
  onEffect?(effect: Effect): void;
  /** Called when all effects of an input were executed. */
  onStep?(input: Input, effects: readonly Effect[]): void;
}

export interface Watch {
  scope: string;
  typeUrl: string;
  name: string;
  /** The updates since the watcher was added. */
  updates: WatcherUpdate[];
}

type Follow = Extract<Input, { kind: 'follow' }>;

/** The world around an engine: a clock, connections, streams, watchers. Executes effects as a session does. */
export class World {
  readonly engine: EngineUnderTest;
  readonly inputs: { input: Input; at: number }[];
  readonly channels = new Map<ChannelId, string>();
  readonly wires = new Map<StreamId, Wire>();
  readonly queries = new Map<QueryId, string>();
  readonly watchers = new Map<WatcherId, Watch>();
  readonly followed = new Map<string, Follow>();
  readonly readings: { scope: string; reading: ReadingId }[] = [];
  readonly checks: Check[] = [];
  now: number;
  #snapshot: ScopeSnapshot[] | undefined;

  /** Appends every input to `inputs`, before the engine handles it. */
  constructor(engine: EngineUnderTest, start: number, inputs: { input: Input; at: number }[]) {
    this.engine = engine;
    this.now = start;
    this.inputs = inputs;
  }

  step(input: Input): readonly Effect[] {
    this.inputs.push({ input, at: this.now });
    this.#prepare(input);
    this.#snapshot = undefined;
    const effects = this.engine.handle(input, this.now);
    for (const effect of effects) {
      this.#execute(effect);
      for (const check of this.checks) check.onEffect?.(effect);
    }
    for (const check of this.checks) check.onStep?.(input, effects);
    return effects;
  }

  /** The state of the engine after the last step. It costs more than a step, so all checks share it. */
  snapshot(): readonly ScopeSnapshot[] {
    this.#snapshot ??= this.engine.snapshot();
    return this.#snapshot;
  }

  /** The state of the world before the engine handles an input. */
  #prepare(input: Input): void {
    if (input.kind === 'watch') {
      const { scope, typeUrl, name, watcher } = input;
      this.watchers.set(watcher, { scope, typeUrl, name, updates: [] });
    } else if (input.kind === 'unwatch') this.watchers.delete(input.watcher);
    else if (input.kind === 'follow') this.followed.set(input.target, input);
    else if (input.kind === 'unfollow') this.followed.delete(input.target);
    else if (input.kind === 'ended') this.wires.delete(input.stream);
    else if (input.kind === 'resolved') this.queries.delete(input.query);
    else if (input.kind === 'sent') this.#wire(input.stream).isWriting = false;
    else if (input.kind === 'message') this.#wire(input.stream).isReading = false;
  }

  #wire(stream: StreamId): Wire {
    const wire = this.wires.get(stream);
    require(wire !== undefined, 'closed-stream', () => `stream ${stream} is not open`);
    return wire;
  }

  #execute(effect: Effect): void {
    switch (effect.kind) {
      case 'connect':
        require(!this.channels.has(effect.channel), 'one-connection', () => `channel ${effect.channel} connects twice`);
        this.channels.set(effect.channel, effect.server.uri);
        break;
      case 'disconnect':
        require(this.channels.delete(effect.channel), 'closed-stream', () => `channel ${effect.channel} is closed`);
        break;
      case 'open':
        this.#open(effect.stream, effect.channel);
        break;
      case 'send':
        this.#send(effect.stream, effect.bytes);
        break;
      case 'read': {
        const wire = this.#wire(effect.stream);
        require(!wire.isReading, 'one-read', () => `stream ${wire.id} has two reads in flight`);
        wire.isReading = true;
        break;
      }
      case 'cancel':
        this.#wire(effect.stream);
        this.wires.delete(effect.stream);
        break;
      case 'resolve':
        this.queries.set(effect.query, `${effect.host}:${effect.port}`);
        break;
      case 'notify': {
        const watch = this.watchers.get(effect.watcher);
        require(watch !== undefined, 'removed-watcher', () => `watcher ${effect.watcher} does not exist`);
        watch.updates.push(effect.update);
        if (effect.reading !== undefined) this.readings.push({ scope: effect.scope, reading: effect.reading });
        break;
      }
      case 'event':
        if (effect.event.kind === 'stream' && effect.event.change === 'opened') {
          const wire = this.#wire(effect.event.stream);
          wire.scope = effect.event.scope;
          wire.server = effect.event.server;
        }
    }
  }

  #open(stream: StreamId, channel: ChannelId): void {
    require(this.channels.has(channel), 'closed-stream', () => `stream ${stream} opens on closed channel ${channel}`);
    for (const other of this.wires.values()) {
      require(other.channel !== channel, 'one-stream', () => `channel ${channel} has two streams`);
    }
    this.wires.set(stream, newWire(stream, channel));
  }

  #send(stream: StreamId, bytes: Uint8Array): void {
    const wire = this.#wire(stream);
    require(!wire.isWriting, 'one-write', () => `stream ${stream} has two writes in flight`);
    const request = decode(DiscoveryRequest, bytes);
    require(request.ok, 'log-matches-wire', () => `stream ${stream} sends an invalid request`);
    wire.isWriting = true;
    wire.requests++;
    wire.last.set(request.value.typeUrl, request.value);
    wire.newest = request.value;
  }
}

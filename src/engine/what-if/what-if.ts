import type { Effect } from '../../core/effect.js';
import type { Event } from '../../core/event.js';
import type { Input, Resolution, StreamId } from '../../core/input.js';
import type { Machine } from '../../core/machine.js';
import { DiscoveryResponse } from '../../proto/generated/envoy.service.discovery.v3.js';
import { Any } from '../../proto/generated/google.protobuf.js';
import { encode } from '../../proto/message-type.js';
import { Malformed } from '../../proto/wire/malformed.js';
import { Reader, WireType } from '../../proto/wire/reader.js';
import { Engine, type EngineOptions } from '../engine.js';
import type { Replaying } from '../replay.js';
import { OpenStreams } from './open-streams.js';

/** Limits the messages that are queued for a stream which does not read. */
const MAX_QUEUED = 1000;

/**
 * Replays a recording on two engines: one with the recorded options, and one with changed options.
 * - The changed engine receives the recorded messages of the servers, each on the stream that corresponds to the
 *   recorded stream.
 * - Its timers expire when they are due. A timer that both engines have expires at the recorded time, which includes
 *   the delay of real timers.
 * - A request that only the changed engine sends is sent immediately, unless the recorded stream was blocked. Its
 *   response contains the resources that the server had already sent to the recorded engine.
 */
export class WhatIf implements Replaying {
  readonly recorded: Engine;
  readonly engine: Engine;
  readonly #changed: Machine<Input, Effect>;
  readonly #recordedStreams = new OpenStreams();
  readonly #changedStreams = new OpenStreams();
  readonly #onRecorded: (event: Event) => void;
  readonly #onChanged: (event: Event) => void;
  readonly #inbox = new Map<StreamId, Uint8Array[]>();
  readonly #resolutions = new Map<string, Resolution>();
  /** The number of recorded messages that the changed engine does not receive. */
  unplaced = 0;
  #nonces = 0;

  constructor(
    recorded: EngineOptions,
    changed: EngineOptions,
    onRecorded: (event: Event) => void,
    onChanged: (event: Event) => void,
    /** Wraps the changed engine, for example to keep a journal of it. */
    wrap: (engine: Engine) => Machine<Input, Effect> = (engine) => engine,
  ) {
    this.recorded = new Engine(recorded);
    this.engine = new Engine(changed);
    this.#changed = wrap(this.engine);
    this.#onRecorded = onRecorded;
    this.#onChanged = onChanged;
  }

  input(input: Input, at: number): void {
    this.#runTimers(at);
    this.#recordedStreams.step++;
    this.#changedStreams.step++;
    // The recording contains the responses to the requests of the recorded engine.
    this.#recordedStreams.takeNewSubscriptions();
    const hostPort = input.kind === 'resolved' ? this.#recordedStreams.queries.get(input.query) : undefined;
    const stream =
      'stream' in input ? this.#changedStreams.matchingStream(this.#recordedStreams, input.stream) : undefined;
    const channel =
      input.kind === 'connectivity'
        ? this.#changedStreams.matchingChannel(this.#recordedStreams, input.channel)
        : undefined;
    // Before the recorded engine handles the message: its ACK may be its first request of the type.
    const isPlaced = input.kind === 'message' && stream !== undefined && !this.#isForRecordedOnly(input, stream);
    this.#handleRecorded(input, at);
    switch (input.kind) {
      case 'done':
        break;
      case 'tick':
        if ((this.engine.nextDeadline() ?? Number.POSITIVE_INFINITY) <= at) this.#handleChanged(input, at);
        break;
      case 'connectivity':
        if (channel !== undefined) this.#handleChanged({ ...input, channel }, at);
        break;
      case 'sent':
        if (stream !== undefined && this.#changedStreams.state(stream)?.isWriting) this.#onSent(stream, at);
        break;
      case 'message':
        if (isPlaced) this.#onMessage(stream as StreamId, input.bytes, at);
        else this.unplaced++;
        break;
      case 'ended':
        this.#onEnded(stream, input, at);
        break;
      case 'resolved':
        this.#onResolved(hostPort, input.result, at);
        break;
      default:
        this.#handleChanged(input, at);
    }
    this.#runUnrecorded(at);
  }

  end(at: number): void {
    this.#runTimers(at);
  }

  #handleRecorded(input: Input, at: number): void {
    if (input.kind === 'sent') this.#recordedStreams.onSent(input.stream);
    if (input.kind === 'ended') this.#recordedStreams.onEnded(input.stream);
    if (input.kind === 'resolved') this.#recordedStreams.queries.delete(input.query);
    for (const effect of this.recorded.handle(input, at)) {
      this.#recordedStreams.observe(effect);
      if (effect.kind === 'event') this.#onRecorded(effect.event);
    }
  }

  #handleChanged(input: Input, at: number): void {
    for (const effect of this.#changed.handle(input, at)) {
      this.#changedStreams.observe(effect);
      if (effect.kind === 'event') this.#onChanged(effect.event);
      if (effect.kind === 'notify' && effect.reading !== undefined) {
        this.#handleChanged({ kind: 'done', scope: effect.scope, reading: effect.reading }, at);
      }
    }
  }

  /** Runs the timers that only the changed engine has. */
  #runTimers(until: number): void {
    let last: number | undefined;
    for (;;) {
      const due = this.engine.nextDeadline();
      if (due === undefined || due >= until || due === last || due === this.recorded.nextDeadline()) return;
      last = due;
      this.#handleChanged({ kind: 'tick' }, due);
      this.#runUnrecorded(due);
    }
  }

  /** Simulates steps that the recording lacks: sends requests, reads queued messages, resolves DNS queries. */
  #runUnrecorded(at: number): void {
    for (let isBusy = true; isBusy; ) {
      isBusy = this.#completeWrites(at);
      this.#resendCached(at);
      for (const [stream, queued] of this.#inbox) if (this.#read(stream, queued, at)) isBusy = true;
      if (this.#resolveFromRecording(at)) isBusy = true;
    }
  }

  #completeWrites(at: number): boolean {
    let isBusy = false;
    for (const stream of this.#changedStreams.writing) {
      const counterpart = this.#recordedStreams.state(
        this.#recordedStreams.matchingStream(this.#changedStreams, stream),
      );
      if (counterpart === undefined || counterpart.isWriting) continue;
      this.#onSent(stream, at);
      isBusy = true;
    }
    return isBusy;
  }

  #resendCached(at: number): void {
    for (const { stream, typeUrl, names } of this.#changedStreams.takeNewSubscriptions()) {
      const isResubscribed = names.some((name) => this.#isResubscribed(stream, typeUrl, name));
      const bytes = isResubscribed ? this.#cachedResponse(stream, typeUrl) : undefined;
      if (bytes !== undefined) this.#onMessage(stream, bytes, at);
    }
  }

  #resolveFromRecording(at: number): boolean {
    let isBusy = false;
    for (const [query, hostPort] of [...this.#changedStreams.queries]) {
      const result = this.#resolutions.get(hostPort);
      if (result === undefined || this.#recordedStreams.queriesFor(hostPort).length > 0) continue;
      this.#changedStreams.queries.delete(query);
      this.#handleChanged({ kind: 'resolved', query, result }, at);
      isBusy = true;
    }
    return isBusy;
  }

  /** Whether the recorded engine subscribed to the name earlier, so that the recording has no new response for it. */
  #isResubscribed(stream: StreamId, typeUrl: string, name: string): boolean {
    const recordedSince = this.#recordedStreams.subscribedSince(
      this.#recordedStreams.matchingStream(this.#changedStreams, stream),
      typeUrl,
      name,
    );
    return (
      recordedSince !== undefined && recordedSince < (this.#changedStreams.subscribedSince(stream, typeUrl, name) ?? 0)
    );
  }

  /** Builds a response from the cache of the recorded engine, with all resources that a stream is subscribed to. */
  #cachedResponse(stream: StreamId, typeUrl: string): Uint8Array | undefined {
    const scope = this.recorded.snapshot().find((one) => one.scope === this.#changedStreams.state(stream)?.scope);
    const entries = (this.#changedStreams.state(stream)?.subscribed.get(typeUrl)?.names ?? []).flatMap(
      (name) => scope?.entry(typeUrl, name) ?? [],
    );
    const resources = entries.flatMap(({ bytes }) =>
      bytes === undefined ? [] : [Any.create({ typeUrl, value: bytes })],
    );
    if (resources.length === 0) return undefined;
    const versionInfo = entries.find(({ bytes }) => bytes !== undefined)?.version ?? '';
    const nonce = `what-if.${++this.#nonces}`;
    return encode(DiscoveryResponse, DiscoveryResponse.create({ versionInfo, typeUrl, nonce, resources }));
  }

  #onSent(stream: StreamId, at: number): void {
    this.#changedStreams.onSent(stream);
    this.#handleChanged({ kind: 'sent', stream }, at);
  }

  /** Whether only the recorded engine subscribed to the type. A server would not send it to the changed engine. */
  #isForRecordedOnly({ stream, bytes }: Extract<Input, { kind: 'message' }>, changedStream: StreamId): boolean {
    const open = this.#changedStreams.state(changedStream);
    if (open === undefined) return true;
    const typeUrl = typeUrlOf(bytes);
    return (
      typeUrl !== undefined &&
      this.#recordedStreams.state(stream)?.subscribed.has(typeUrl) === true &&
      !open.subscribed.has(typeUrl)
    );
  }

  #onMessage(stream: StreamId, bytes: Uint8Array, at: number): void {
    const queued = this.#inbox.get(stream) ?? [];
    if (queued.length >= MAX_QUEUED) this.unplaced++;
    else queued.push(bytes);
    this.#inbox.set(stream, queued);
    this.#read(stream, queued, at);
  }

  #read(stream: StreamId, queued: Uint8Array[], at: number): boolean {
    const [bytes] = queued;
    if (bytes === undefined || this.#changedStreams.state(stream)?.isReading !== true) return false;
    queued.shift();
    this.#changedStreams.onMessage(stream);
    this.#handleChanged({ kind: 'message', stream, bytes }, at);
    return true;
  }

  #onEnded(stream: StreamId | undefined, input: Extract<Input, { kind: 'ended' }>, at: number): void {
    if (stream === undefined || this.#changedStreams.state(stream) === undefined) return;
    this.#inbox.delete(stream);
    this.#changedStreams.onEnded(stream);
    this.#handleChanged({ ...input, stream }, at);
  }

  #onResolved(hostPort: string | undefined, result: Resolution, at: number): void {
    if (hostPort === undefined) return;
    this.#resolutions.set(hostPort, result);
    for (const query of this.#changedStreams.queriesFor(hostPort)) {
      this.#changedStreams.queries.delete(query);
      this.#handleChanged({ kind: 'resolved', query, result }, at);
    }
  }
}

/** The type URL of a response; undefined if it cannot be decoded. */
function typeUrlOf(bytes: Uint8Array): string | undefined {
  const reader = new Reader(bytes);
  let typeUrl: string | undefined;
  try {
    while (reader.pos < bytes.length) {
      const tag = reader.tag();
      if (tag === ((4 << 3) | WireType.bytes)) typeUrl = reader.typeUrl();
      else reader.skip(tag);
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return undefined;
  }
  return typeUrl;
}

import type { Event } from '../../core/event.js';
import type { Input, Resolution, StreamId } from '../../core/input.js';
import { DiscoveryResponse } from '../../proto/generated/envoy.service.discovery.v3.js';
import { Any } from '../../proto/generated/google.protobuf.js';
import { encode } from '../../proto/message-type.js';
import { Malformed } from '../../proto/wire/malformed.js';
import { Reader, WireType } from '../../proto/wire/reader.js';
import { Engine, type EngineOptions } from '../engine.js';
import type { Replaying } from '../replay.js';
import { OpenStreams } from './open-streams.js';

/** Messages that may wait for a stream on which nothing is read any more. */
const MAX_QUEUED = 1000;

/**
 * The session as it was, and beside it an engine that was told otherwise. The second gets what the servers said to the
 * first: each message goes to the stream that is what it was there. Its own timers ring when they are due; where both
 * wait for the same moment it is the recorded one, late as timers are. What it alone asks for leaves at once, unless
 * the recorded stream was blocked as well; it is answered with what the server had said of it, if it had.
 */
export class WhatIf implements Replaying {
  readonly recorded: Engine;
  readonly engine: Engine;
  readonly #recordedStreams = new OpenStreams();
  readonly #changedStreams = new OpenStreams();
  readonly #onRecorded: (event: Event) => void;
  readonly #onChanged: (event: Event) => void;
  readonly #inbox = new Map<StreamId, Uint8Array[]>();
  readonly #resolutions = new Map<string, Resolution>();
  /** Messages of servers that are for the first engine alone. */
  unplaced = 0;
  #nonces = 0;

  constructor(
    recorded: EngineOptions,
    changed: EngineOptions,
    onRecorded: (event: Event) => void,
    onChanged: (event: Event) => void,
  ) {
    this.recorded = new Engine(recorded);
    this.engine = new Engine(changed);
    this.#onRecorded = onRecorded;
    this.#onChanged = onChanged;
  }

  input(input: Input, at: number): void {
    this.#runTimers(at);
    this.#recordedStreams.step++;
    this.#changedStreams.step++;
    // Its questions are answered by the recording.
    this.#recordedStreams.takeNewSubscriptions();
    const hostPort = input.kind === 'resolved' ? this.#recordedStreams.queries.get(input.query) : undefined;
    const stream =
      'stream' in input ? this.#changedStreams.matchingStream(this.#recordedStreams, input.stream) : undefined;
    const channel =
      input.kind === 'connectivity'
        ? this.#changedStreams.matchingChannel(this.#recordedStreams, input.channel)
        : undefined;
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
        if (stream === undefined || this.#isForRecordedOnly(input, stream)) this.unplaced++;
        else this.#onMessage(stream, input.bytes, at);
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
    for (const effect of this.engine.handle(input, at)) {
      this.#changedStreams.observe(effect);
      if (effect.kind === 'event') this.#onChanged(effect.event);
      if (effect.kind === 'notify' && effect.reading !== undefined) {
        this.#handleChanged({ kind: 'done', scope: effect.scope, reading: effect.reading }, at);
      }
    }
  }

  /** Timers of the second engine that are not those of the first. */
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

  /** What nobody recorded but would have happened: requests leave, messages that wait are read, names are known. */
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

  /** The first engine has been asking for it all the time, and will not get it again. */
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

  /** What the server has said of all that a stream asks for, as the first engine knows it: any server says it again. */
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

  /** The answer to a question that only the first engine has asked. A server would not give it to the second. */
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

/** Of a response; undefined where it cannot be read. */
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

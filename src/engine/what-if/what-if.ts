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
const MAX_WAITING = 1000;

/**
 * The session as it was, and beside it an engine that was told otherwise. The second gets what the servers said to the
 * first: each message goes to the stream that is what it was there. Its own timers ring when they are due; where both
 * wait for the same moment it is the recorded one, late as timers are. What it alone asks for leaves at once, unless
 * the recorded stream was blocked as well; it is answered with what the server had said of it, if it had.
 */
export class WhatIf implements Replaying {
  readonly recorded: Engine;
  readonly engine: Engine;
  readonly #there = new OpenStreams();
  readonly #here = new OpenStreams();
  readonly #onRecorded: (event: Event) => void;
  readonly #onChanged: (event: Event) => void;
  readonly #inbox = new Map<StreamId, Uint8Array[]>();
  readonly #answers = new Map<string, Resolution>();
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
    this.#ring(at);
    this.#there.step++;
    this.#here.step++;
    // Its questions are answered by the recording.
    this.#there.takeNewSubscriptions();
    const question = input.kind === 'resolved' ? this.#there.queries.get(input.query) : undefined;
    const stream = 'stream' in input ? this.#here.streamLike(this.#there, input.stream) : undefined;
    const channel = input.kind === 'connectivity' ? this.#here.channelLike(this.#there, input.channel) : undefined;
    this.#handleThere(input, at);
    switch (input.kind) {
      case 'done':
        break;
      case 'tick':
        if ((this.engine.nextDeadline() ?? Number.POSITIVE_INFINITY) <= at) this.#handle(input, at);
        break;
      case 'connectivity':
        if (channel !== undefined) this.#handle({ ...input, channel }, at);
        break;
      case 'sent':
        if (stream !== undefined && this.#here.state(stream)?.isWriting) this.#sent(stream, at);
        break;
      case 'message':
        if (stream === undefined || this.#isForeign(input, stream)) this.unplaced++;
        else this.#message(stream, input.bytes, at);
        break;
      case 'ended':
        this.#ended(stream, input, at);
        break;
      case 'resolved':
        this.#resolved(question, input.result, at);
        break;
      default:
        this.#handle(input, at);
    }
    this.#goOn(at);
  }

  end(at: number): void {
    this.#ring(at);
  }

  #handleThere(input: Input, at: number): void {
    if (input.kind === 'sent') this.#there.sent(input.stream);
    if (input.kind === 'ended') this.#there.ended(input.stream);
    if (input.kind === 'resolved') this.#there.queries.delete(input.query);
    for (const effect of this.recorded.handle(input, at)) {
      this.#there.observe(effect);
      if (effect.kind === 'event') this.#onRecorded(effect.event);
    }
  }

  #handle(input: Input, at: number): void {
    for (const effect of this.engine.handle(input, at)) {
      this.#here.observe(effect);
      if (effect.kind === 'event') this.#onChanged(effect.event);
      if (effect.kind === 'notify' && effect.reading !== undefined) {
        this.#handle({ kind: 'done', scope: effect.scope, reading: effect.reading }, at);
      }
    }
  }

  /** Timers of the second engine that are not those of the first. */
  #ring(until: number): void {
    let last: number | undefined;
    for (;;) {
      const due = this.engine.nextDeadline();
      if (due === undefined || due >= until || due === last || due === this.recorded.nextDeadline()) return;
      last = due;
      this.#handle({ kind: 'tick' }, due);
      this.#goOn(due);
    }
  }

  /** What nobody recorded but would have happened: requests leave, messages that wait are read, names are known. */
  #goOn(at: number): void {
    for (let isBusy = true; isBusy; ) {
      isBusy = this.#leave(at);
      this.#answerAgain(at);
      for (const [stream, waiting] of this.#inbox) if (this.#read(stream, waiting, at)) isBusy = true;
      if (this.#resolveAgain(at)) isBusy = true;
    }
  }

  #leave(at: number): boolean {
    let isBusy = false;
    for (const stream of this.#here.writing) {
      const like = this.#there.state(this.#there.streamLike(this.#here, stream));
      if (like === undefined || like.isWriting) continue;
      this.#sent(stream, at);
      isBusy = true;
    }
    return isBusy;
  }

  #answerAgain(at: number): void {
    for (const { stream, typeUrl, names } of this.#here.takeNewSubscriptions()) {
      const isAgain = names.some((name) => this.#isAskedAgain(stream, typeUrl, name));
      const bytes = isAgain ? this.#knownTo(stream, typeUrl) : undefined;
      if (bytes !== undefined) this.#message(stream, bytes, at);
    }
  }

  #resolveAgain(at: number): boolean {
    let isBusy = false;
    for (const [query, question] of [...this.#here.queries]) {
      const answer = this.#answers.get(question);
      if (answer === undefined || this.#there.queriesFor(question).length > 0) continue;
      this.#here.queries.delete(query);
      this.#handle({ kind: 'resolved', query, result: answer }, at);
      isBusy = true;
    }
    return isBusy;
  }

  /** The first engine has been asking for it all the time, and will not get it again. */
  #isAskedAgain(stream: StreamId, typeUrl: string, name: string): boolean {
    const there = this.#there.subscribedSince(this.#there.streamLike(this.#here, stream), typeUrl, name);
    return there !== undefined && there < (this.#here.subscribedSince(stream, typeUrl, name) ?? 0);
  }

  /** What the server has said of all that a stream asks for, as the first engine knows it: any server says it again. */
  #knownTo(stream: StreamId, typeUrl: string): Uint8Array | undefined {
    const scope = this.recorded.snapshot().find((one) => one.scope === this.#here.state(stream)?.scope);
    const entries = (this.#here.state(stream)?.asked.get(typeUrl)?.list ?? []).flatMap(
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

  #sent(stream: StreamId, at: number): void {
    this.#here.sent(stream);
    this.#handle({ kind: 'sent', stream }, at);
  }

  /** The answer to a question that only the first engine has asked. A server would not give it to the second. */
  #isForeign({ stream, bytes }: Extract<Input, { kind: 'message' }>, here: StreamId): boolean {
    const open = this.#here.state(here);
    if (open === undefined) return true;
    const typeUrl = typeUrlIn(bytes);
    return typeUrl !== undefined && this.#there.state(stream)?.asked.has(typeUrl) === true && !open.asked.has(typeUrl);
  }

  #message(stream: StreamId, bytes: Uint8Array, at: number): void {
    const waiting = this.#inbox.get(stream) ?? [];
    if (waiting.length >= MAX_WAITING) this.unplaced++;
    else waiting.push(bytes);
    this.#inbox.set(stream, waiting);
    this.#read(stream, waiting, at);
  }

  #read(stream: StreamId, waiting: Uint8Array[], at: number): boolean {
    const [bytes] = waiting;
    if (bytes === undefined || this.#here.state(stream)?.isReading !== true) return false;
    waiting.shift();
    this.#here.received(stream);
    this.#handle({ kind: 'message', stream, bytes }, at);
    return true;
  }

  #ended(stream: StreamId | undefined, input: Extract<Input, { kind: 'ended' }>, at: number): void {
    if (stream === undefined || this.#here.state(stream) === undefined) return;
    this.#inbox.delete(stream);
    this.#here.ended(stream);
    this.#handle({ ...input, stream }, at);
  }

  #resolved(question: string | undefined, result: Resolution, at: number): void {
    if (question === undefined) return;
    this.#answers.set(question, result);
    for (const query of this.#here.queriesFor(question)) {
      this.#here.queries.delete(query);
      this.#handle({ kind: 'resolved', query, result }, at);
    }
  }
}

/** Of a response; undefined where it cannot be read. */
function typeUrlIn(bytes: Uint8Array): string | undefined {
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

import { type Status, statusCode } from '../base/status.js';
import { canonicalName } from '../base/xds-name.js';
import { Backoff } from '../core/backoff.js';
import type { Effect, ServerTarget } from '../core/effect.js';
import type { Event } from '../core/event.js';
import type { ChannelId, Input, StreamId } from '../core/input.js';
import { contentsOf, readResponse } from '../core/response.js';
import { ADS_METHOD } from '../core/sotw.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import type { DiscoveryResponse } from '../proto/generated/envoy.service.discovery.v3.js';
import { typeNameOf } from '../proto/json/type-name.js';
import { isCompleteInEveryResponse } from '../proto/resource-types.js';
import type { ClientContext } from '../resources/context.js';
import { judgeResponse } from '../resources/judge-response.js';
import { Holdings } from './holdings.js';
import { type Received, receivedIn } from './received.js';
import { type Request, requestBytes } from './request.js';

/** What the log calls all of this. */
const FETCH_SCOPE = 'get';

/** Nothing new for this long: whoever was asked for everything has said it. */
const QUIET_MS = 200;

export interface SubscriptionOptions {
  typeUrl: string;
  /** As typed; none ask for everything. */
  names: readonly string[];
  /** By priority. */
  servers: readonly ServerTarget[];
  node: Node;
  context: ClientContext;
  /** The reason to reject every response, whatever is in it. */
  nack: string | undefined;
  /** Goes on until it is stopped. */
  follows: boolean;
  /** How long a server may take. */
  timerMs: (server: ServerTarget) => number;
  random: () => number;
  newChannelId: () => ChannelId;
  newStreamId: () => StreamId;
  emit: (effect: Effect) => void;
}

/** Why a server was given up. */
export interface ServerFailure {
  server: string;
  kind: 'connection' | 'stream';
  /** Of the transport, or the status with which the stream ended. */
  reason: string;
  status: Status | undefined;
}

type EventDetails<K extends Event['kind']> = Omit<Extract<Event, { kind: K }>, 'at' | 'scope' | 'server' | 'kind'>;

/** What the log says of a response, beside what is in it. */
type Taken = Pick<Extract<Event, { kind: 'response' }>, 'refused' | 'added' | 'changed' | 'unrequested' | 'missing'>;

const NOTHING_TAKEN: Taken = { refused: undefined, added: 0, changed: 0, unrequested: [], missing: [] };

/** More are not named in an event. */
const MAX_NAMES = 5;

type WireInput = Extract<Input, { kind: 'connectivity' | 'sent' | 'message' | 'ended' | 'tick' }>;

/**
 * One type asked of one list of servers over one stream at a time. A server that cannot be reached, or that ends the
 * stream without an answer, is left for the next.
 */
export class Subscription {
  readonly failures: ServerFailure[] = [];
  readonly holdings: Holdings;
  /** Messages that were no answer, and why. */
  readonly passedOver = new Set<string>();
  /** What the server was last told to be wrong. */
  nack: string | undefined;
  readonly #options: SubscriptionOptions;
  readonly #backoff: Backoff;
  readonly #keyOf: (name: string) => string;
  #index = 0;
  #channel: ChannelId | undefined;
  #stream: StreamId | undefined;
  #isNodeSent = false;
  #isWriting = false;
  #next: Request | undefined;
  #version = '';
  #responses = 0;
  #streamResponses = 0;
  #newAt = 0;
  #waitUntil: number | undefined;
  #retryAt: number | undefined;
  #state: 'open' | 'done' | 'timed out' | 'failed' = 'open';

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.random);
    const { typeUrl, context } = options;
    const type = typeNameOf(typeUrl);
    const { federation } = context.switches;
    this.#keyOf = (name) => canonicalName(name, type, federation, 'xdstp:///') ?? name;
    this.holdings = new Holdings(this.#keyOf);
  }

  get state(): 'open' | 'done' | 'timed out' | 'failed' {
    return this.#state;
  }

  get server(): ServerTarget {
    return this.#options.servers[this.#index] as ServerTarget;
  }

  get names(): readonly string[] {
    return this.#options.names;
  }

  get hasResponse(): boolean {
    return this.#responses > 0;
  }

  /** Names that nothing was said about. */
  get missing(): string[] {
    return this.#options.names.filter((name) => !isCollection(name) && !this.holdings.has(name));
  }

  get #isForAll(): boolean {
    return this.#options.names.length === 0 || this.#options.names.some(isCollection);
  }

  start(now: number): void {
    const { newChannelId, emit } = this.#options;
    this.#channel = newChannelId();
    this.#version = '';
    emit({ kind: 'connect', channel: this.#channel, server: this.server });
    this.#open(now);
  }

  handle(input: WireInput, now: number): void {
    if (this.#state !== 'open') return;
    switch (input.kind) {
      case 'connectivity':
        if (input.channel === this.#channel) this.#connectivity(input.state, input.reason, now);
        break;
      case 'sent':
        if (input.stream === this.#stream) this.#sent(now);
        break;
      case 'message':
        if (input.stream === this.#stream) this.#message(input.bytes, now);
        break;
      case 'ended':
        if (input.stream === this.#stream) this.#ended(input.status, now);
        break;
      case 'tick':
        this.#tick(now);
        break;
    }
    this.#checkDone(now);
  }

  nextDeadline(): number | undefined {
    if (this.#state !== 'open') return undefined;
    const due = [this.#retryAt, this.#waitUntil, this.#quietAt].filter((at) => at !== undefined);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  /** The time for all of it is over. */
  timeOut(now: number): void {
    if (this.#state === 'open') this.#end('timed out', now);
  }

  get #quietAt(): number | undefined {
    if (this.#options.follows || !this.#isForAll || this.#responses === 0 || this.missing.length > 0) return undefined;
    return this.#newAt + QUIET_MS;
  }

  #connectivity(state: Extract<WireInput, { kind: 'connectivity' }>['state'], reason: string, now: number): void {
    this.#log(now, 'channel', { state, reason });
    if (state !== 'transient-failure' && state !== 'lame') return;
    // Whoever follows, and has been answered, waits until the server is back: the transport goes on trying.
    if (this.#options.follows && this.#responses > 0) return;
    this.#fail({ server: this.server.uri, kind: 'connection', reason, status: undefined }, now);
  }

  #open(now: number): void {
    const { newStreamId, emit, typeUrl, names } = this.#options;
    const stream = newStreamId();
    this.#stream = stream;
    this.#isNodeSent = false;
    this.#isWriting = false;
    this.#streamResponses = 0;
    emit({ kind: 'open', stream, channel: this.#channel as ChannelId, method: ADS_METHOD });
    this.#log(now, 'stream', { stream, change: 'opened', status: undefined, retryIn: undefined });
    emit({ kind: 'read', stream });
    this.#send({ typeUrl, names, version: this.#version, nonce: '', error: undefined }, now);
  }

  /** R1.4: one request at a time. */
  #send(request: Request, now: number): void {
    if (this.#isWriting) {
      this.#next = request;
      return;
    }
    const { emit, node } = this.#options;
    const stream = this.#stream as StreamId;
    this.#log(now, 'request', { stream, ...request });
    emit({ kind: 'send', stream, bytes: requestBytes(request, this.#isNodeSent ? undefined : node) });
    this.#isNodeSent = true;
    this.#isWriting = true;
    this.#next = undefined;
  }

  #sent(now: number): void {
    const { emit, follows, timerMs } = this.#options;
    this.#isWriting = false;
    if (!follows && this.#waitUntil === undefined) {
      const milliseconds = timerMs(this.server);
      this.#waitUntil = now + milliseconds;
      this.#logTimer('started', this.#options.names, milliseconds, now);
    }
    if (this.#next !== undefined) this.#send(this.#next, now);
    // The next message is read when the last one is answered, so that each gets an answer of its own.
    else if (this.#streamResponses > 0) emit({ kind: 'read', stream: this.#stream as StreamId });
  }

  #message(bytes: Uint8Array, now: number): void {
    const { emit, typeUrl } = this.#options;
    const stream = this.#stream as StreamId;
    const { message, ...response } = readResponse(bytes, (type) => type === typeUrl);
    const isAnswer = message !== undefined && response.ignored === undefined;
    const taken = isAnswer ? this.#take(message, response.errors, now) : NOTHING_TAKEN;
    const contents = contentsOf(message);
    this.#log(now, 'response', { stream, ...response, ...contents, ...taken, bytes: bytes.length, stops: false });
    if (isAnswer) this.#answer(message, now);
    else {
      this.passedOver.add(response.ignored ?? '');
      emit({ kind: 'read', stream });
    }
  }

  /** Holds what came, and says what a log has to say about it. */
  #take(
    message: DiscoveryResponse,
    errors: readonly { name: string; status: Status | undefined }[],
    now: number,
  ): Taken {
    const { context, typeUrl } = this.#options;
    this.#responses++;
    this.#streamResponses++;
    const trustedServer = this.server.features?.has('trusted_xds_server') === true;
    const judged = judgeResponse(message, { ...context, trustedServer });
    const received = receivedIn(message, judged);
    const isComplete = isCompleteInEveryResponse(typeUrl);
    const where = { at: now, server: this.server.uri };
    const { added, changed, isNew } = this.holdings.take(received, errors, isComplete, where);
    if (isNew || this.#responses === 1) this.#newAt = now;
    this.nack = this.#options.nack ?? judged.nack;
    const missing = isComplete ? this.missing.slice(0, MAX_NAMES) : [];
    return { refused: this.nack, added, changed, unrequested: this.#unrequested(received), missing };
  }

  #unrequested(received: readonly Received[]): string[] {
    if (this.#isForAll) return [];
    const asked = new Set(this.#options.names.map(this.#keyOf));
    return received
      .map(({ name }) => name)
      .filter((name) => !asked.has(this.#keyOf(name)))
      .slice(0, MAX_NAMES);
  }

  #answer({ versionInfo, nonce }: DiscoveryResponse, now: number): void {
    const { typeUrl, names } = this.#options;
    if (this.nack === undefined) this.#version = versionInfo;
    // R1.5: whatever is wrong.
    const error = this.nack === undefined ? undefined : { code: statusCode('INVALID_ARGUMENT'), message: this.nack };
    this.#send({ typeUrl, names, version: this.#version, nonce, error }, now);
  }

  #ended(status: Status, now: number): void {
    const stream = this.#stream as StreamId;
    this.#stream = undefined;
    this.#next = undefined;
    this.#isWriting = false;
    const isAnswered = this.#streamResponses > 0;
    if (isAnswered) this.#backoff.reset();
    const retryIn = this.#backoff.next();
    this.#log(now, 'stream', { stream, change: 'ended', status, retryIn });
    if (isAnswered || (this.#options.follows && this.#responses > 0)) this.#retryAt = now + retryIn;
    else this.#fail({ server: this.server.uri, kind: 'stream', reason: status.message, status }, now);
  }

  #tick(now: number): void {
    if (this.#retryAt !== undefined && now >= this.#retryAt) {
      this.#retryAt = undefined;
      this.#open(now);
    }
    const isQuiet = this.#quietAt !== undefined && now >= this.#quietAt;
    if (!isQuiet && this.#waitUntil !== undefined && now >= this.#waitUntil) {
      this.#logTimer('expired', this.hasResponse ? this.missing : this.names, undefined, now);
      this.#end('timed out', now);
    }
  }

  #fail(failure: ServerFailure, now: number): void {
    this.failures.push(failure);
    this.#leave(now);
    const next = this.#options.servers[this.#index + 1];
    if (next === undefined) {
      this.#state = 'failed';
      return;
    }
    this.#index++;
    this.#log(now, 'fallback', { authority: '#old', change: 'down', from: failure.server });
    this.start(now);
  }

  #checkDone(now: number): void {
    if (this.#state !== 'open' || this.#options.follows || this.missing.length > 0 || this.#responses === 0) return;
    // The server is to hear what became of its answer.
    if (this.#isWriting || this.#next !== undefined) return;
    const isOver = this.#stream === undefined || (this.#quietAt ?? now) <= now;
    if (isOver) this.#end('done', now);
  }

  #end(state: 'done' | 'timed out', now: number): void {
    this.#state = state;
    this.#leave(now);
  }

  #leave(now: number): void {
    const { emit } = this.#options;
    const stream = this.#stream;
    if (stream !== undefined) {
      emit({ kind: 'cancel', stream });
      this.#log(now, 'stream', { stream, change: 'cancelled', status: undefined, retryIn: undefined });
    }
    if (this.#channel !== undefined) emit({ kind: 'disconnect', channel: this.#channel });
    this.#stream = undefined;
    this.#channel = undefined;
    this.#retryAt = undefined;
    this.#waitUntil = undefined;
    this.#next = undefined;
    this.#isWriting = false;
  }

  /** Whoever asks for everything waits for nothing in particular. */
  #logTimer(
    change: 'started' | 'expired',
    names: readonly string[],
    milliseconds: number | undefined,
    now: number,
  ): void {
    const { typeUrl } = this.#options;
    if (names.length > 0) this.#log(now, 'timer', { typeUrl, names, change, milliseconds });
  }

  #log<K extends Event['kind']>(at: number, kind: K, details: EventDetails<K>): void {
    const event = { kind, at, scope: FETCH_SCOPE, server: this.server.uri, ...details } as unknown as Event;
    this.#options.emit({ kind: 'event', event });
  }
}

/** Names that stand for any number of resources: the wildcard, and xdstp's globs. */
function isCollection(name: string): boolean {
  return name === '*' || /^xdstp:[^?#]*\/\*(?:[?#]|$)/.test(name);
}

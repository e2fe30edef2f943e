import { getOrAdd } from '../../base/get-or-add.js';
import type { Effect } from '../../core/effect.js';
import type { Event } from '../../core/event.js';
import type { ChannelId, QueryId, StreamId } from '../../core/input.js';

interface OpenStream {
  /** A request was passed to the transport and is not sent yet. */
  isWriting: boolean;
  isReading: boolean;
  scope: string;
  /** The subscribed names by type, each with the step in which its subscription began. */
  subscribed: Map<string, SubscribedNames>;
}

interface SubscribedNames {
  /** The list of the last request. A request that repeats the subscription has the same list object. */
  names: readonly string[];
  since: ReadonlyMap<string, number>;
}

/** Names that a request subscribes to for the first time. */
interface NewSubscription {
  stream: StreamId;
  typeUrl: string;
  names: string[];
}

/**
 * The open channels, streams and DNS queries of an engine. Engines assign IDs in order of use, so the IDs of two
 * engines differ; keys of scope, server and ordinal match the streams of one engine with those of another.
 */
export class OpenStreams {
  readonly #channelNames = new Map<ChannelId, string>();
  readonly #streamNames = new Map<StreamId, string>();
  readonly #channels = new Map<string, ChannelId>();
  readonly #streams = new Map<string, StreamId>();
  readonly #channelOf = new Map<StreamId, ChannelId>();
  readonly #counts = new Map<string, number>();
  readonly #states = new Map<StreamId, OpenStream>();
  /** The host and port of each open DNS query. */
  readonly queries = new Map<QueryId, string>();
  #newSubscriptions: NewSubscription[] = [];
  /** Counts the inputs of the recording. */
  step = 0;

  observe(effect: Effect): void {
    if (effect.kind === 'open') {
      this.#channelOf.set(effect.stream, effect.channel);
      this.#states.set(effect.stream, { isWriting: false, isReading: false, scope: '', subscribed: new Map() });
    } else if (effect.kind === 'send') this.#set(effect.stream, { isWriting: true });
    else if (effect.kind === 'read') this.#set(effect.stream, { isReading: true });
    else if (effect.kind === 'cancel') this.#states.delete(effect.stream);
    else if (effect.kind === 'resolve') this.queries.set(effect.query, `${effect.host} ${effect.port}`);
    else if (effect.kind === 'event') this.#observeEvent(effect.event);
  }

  #observeEvent(event: Event): void {
    if (event.kind === 'request') this.#observeRequest(event);
    if (event.kind !== 'stream' || event.change !== 'opened') return;
    this.#set(event.stream, { scope: event.scope });
    this.#name(event.stream, `${event.scope} ${event.server}`);
  }

  #observeRequest({ stream, typeUrl, names }: Extract<Event, { kind: 'request' }>): void {
    const subscribed = this.#states.get(stream)?.subscribed;
    const before = subscribed?.get(typeUrl);
    if (before?.names === names) return;
    const since = new Map(names.map((name) => [name, before?.since.get(name) ?? this.step]));
    subscribed?.set(typeUrl, { names, since });
    const added = names.filter((name) => before?.since.has(name) !== true);
    if (added.length > 0) this.#newSubscriptions.push({ stream, typeUrl, names: added });
  }

  /** Assigns the keys of a stream and its channel. The first stream of a channel shows the owner of the channel. */
  #name(stream: StreamId, owner: string): void {
    const channel = this.#channelOf.get(stream) as ChannelId;
    const name = getOrAdd(this.#channelNames, channel, () => this.#numbered(owner));
    this.#channels.set(name, channel);
    const streamName = this.#numbered(`${name} stream`);
    this.#streamNames.set(stream, streamName);
    this.#streams.set(streamName, stream);
  }

  #numbered(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return `${name} ${count}`;
  }

  #set(stream: StreamId, change: Partial<OpenStream>): void {
    const state = this.#states.get(stream);
    if (state !== undefined) Object.assign(state, change);
  }

  /** The channel of this engine that corresponds to a channel of another engine. */
  matchingChannel(other: OpenStreams, channel: ChannelId): ChannelId | undefined {
    return this.#channels.get(other.#channelNames.get(channel) ?? '');
  }

  matchingStream(other: OpenStreams, stream: StreamId): StreamId | undefined {
    return this.#streams.get(other.#streamNames.get(stream) ?? '');
  }

  /** The state of a stream; undefined if it is not open. */
  state(stream: StreamId | undefined): OpenStream | undefined {
    return stream === undefined ? undefined : this.#states.get(stream);
  }

  /** Removes and returns the new subscriptions whose requests were sent. */
  takeNewSubscriptions(): NewSubscription[] {
    const sent = this.#newSubscriptions.filter(({ stream }) => this.state(stream)?.isWriting !== true);
    this.#newSubscriptions = this.#newSubscriptions.filter(({ stream }) => this.state(stream)?.isWriting === true);
    return sent;
  }

  /** The step in which the subscription to a name began; undefined if it is not subscribed. */
  subscribedSince(stream: StreamId | undefined, typeUrl: string, name: string): number | undefined {
    return this.state(stream)?.subscribed.get(typeUrl)?.since.get(name);
  }

  onSent(stream: StreamId): void {
    this.#set(stream, { isWriting: false });
  }

  onMessage(stream: StreamId): void {
    this.#set(stream, { isReading: false });
  }

  onEnded(stream: StreamId): void {
    this.#states.delete(stream);
  }

  /** Streams with a request that is not sent yet. */
  get writing(): StreamId[] {
    return [...this.#states].flatMap(([stream, { isWriting }]) => (isWriting ? [stream] : []));
  }

  /** All open queries for a host and port. */
  queriesFor(hostPort: string): QueryId[] {
    return [...this.queries].flatMap(([query, key]) => (key === hostPort ? [query] : []));
  }
}

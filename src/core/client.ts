import { seededRandom } from '../base/random.js';
import type { ResourceContext } from '../resources/context.js';
import { XdsChannel } from './channel.js';
import type { Effect, ServerTarget } from './effect.js';
import type { ChannelId, Input, StreamId } from './input.js';
import type { Machine } from './machine.js';
import { type NodeIdentity, nodeMessage } from './node.js';
import { ResourceCache } from './resource-cache.js';

export interface ClientOptions {
  /** What the client is for: a target, or `#server` (A71). */
  scope: string;
  server: ServerTarget;
  node: NodeIdentity;
  channelId: ChannelId;
  newStreamId: () => StreamId;
  /** Of the jitter in its backoff. */
  seed: number;
  /** What else decides how resources are judged. */
  context: ResourceContext;
}

/** One XdsClient: what is watched in one client_scope, and the channel that gets it. */
export class XdsClient implements Machine<Input, Effect> {
  readonly #channel: XdsChannel;
  readonly #channelId: ChannelId;
  readonly #cache: ResourceCache;

  constructor(options: ClientOptions) {
    const { scope, server, newStreamId, context } = options;
    this.#cache = new ResourceCache(context);
    this.#channelId = options.channelId;
    this.#channel = new XdsChannel({
      id: options.channelId,
      scope,
      server,
      newStreamId,
      node: nodeMessage(options.node),
      random: seededRandom(options.seed),
      cache: this.#cache,
      dataErrors: context.switches.dataErrorHandling,
    });
  }

  handle(input: Input, now: number): Effect[] {
    switch (input.kind) {
      case 'watch':
        this.#cache.watch(input.typeUrl, input.name);
        return this.#channel.watch(input.typeUrl, input.name, now);
      case 'unwatch':
        this.#cache.unwatch(input.typeUrl, input.name);
        return this.#channel.unwatch(input.typeUrl, input.name, now);
      case 'connectivity':
        return input.channel === this.#channelId ? this.#channel.connectivity(input.state, input.reason, now) : [];
      case 'sent':
        return this.#owns(input.stream) ? this.#channel.sent(now) : [];
      case 'message':
        return this.#owns(input.stream) ? this.#channel.message(input.bytes, now) : [];
      case 'ended':
        return this.#owns(input.stream) ? this.#channel.ended(input.status, now) : [];
      case 'tick':
        return this.#channel.tick(now);
      case 'resolved':
        return [];
    }
  }

  nextDeadline(): number | undefined {
    return this.#channel.nextDeadline();
  }

  /** What still arrives for a stream that has been replaced concerns nobody. */
  #owns(stream: StreamId): boolean {
    return this.#channel.streamId === stream;
  }
}

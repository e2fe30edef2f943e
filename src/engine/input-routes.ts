import type { Effect } from '../core/effect.js';
import type { ChannelId, Input, QueryId, StreamId } from '../core/input.js';

/** An input that names a channel, a stream or a DNS query. */
type RoutedInput = Extract<Input, { channel: ChannelId } | { stream: StreamId } | { query: QueryId }>;

/** Assigns IDs to channels, streams and DNS queries, and stores the owner of each to route its inputs. */
export class InputRoutes<Owner> {
  readonly #channels = new Map<ChannelId, Owner>();
  readonly #streams = new Map<StreamId, Owner>();
  readonly #queries = new Map<QueryId, Owner>();
  #lastChannel = 0;
  #lastStream = 0;
  #lastQuery = 0;

  newChannel(owner: Owner): ChannelId {
    this.#channels.set(++this.#lastChannel, owner);
    return this.#lastChannel;
  }

  newStream(owner: Owner): StreamId {
    this.#streams.set(++this.#lastStream, owner);
    return this.#lastStream;
  }

  newQuery(owner: Owner): QueryId {
    this.#queries.set(++this.#lastQuery, owner);
    return this.#lastQuery;
  }

  /** The owner of an input; undefined if its channel, stream or query is closed. Removes what the input closes. */
  ownerOf(input: RoutedInput): Owner | undefined {
    if (input.kind === 'connectivity') return this.#channels.get(input.channel);
    if (input.kind === 'resolved') return removeOwner(this.#queries, input.query);
    return input.kind === 'ended' ? removeOwner(this.#streams, input.stream) : this.#streams.get(input.stream);
  }

  /** Removes the streams and channels that these effects close. */
  observe(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'cancel') this.#streams.delete(effect.stream);
      else if (effect.kind === 'disconnect') this.#channels.delete(effect.channel);
    }
  }
}

function removeOwner<Id, Owner>(owners: Map<Id, Owner>, id: Id): Owner | undefined {
  const owner = owners.get(id);
  owners.delete(id);
  return owner;
}

import { earliestOf } from '../base/earliest.js';
import { serverKey } from './authority.js';
import type { XdsChannel } from './channel.js';
import type { ServerTarget } from './effect.js';
import type { ChannelId, StreamId } from './input.js';

/** The channels of one client: authorities that name the same server share one (R6.12). */
export class ChannelPool {
  readonly #create: (server: ServerTarget) => XdsChannel;
  readonly #channels = new Map<string, XdsChannel>();

  constructor(create: (server: ServerTarget) => XdsChannel) {
    this.#create = create;
  }

  /** A copy, since channels may close while they are visited. */
  all(): XdsChannel[] {
    return [...this.#channels.values()];
  }

  to(server: ServerTarget): XdsChannel {
    const key = serverKey(server);
    let channel = this.#channels.get(key);
    if (channel === undefined) {
      channel = this.#create(server);
      this.#channels.set(key, channel);
    }
    return channel;
  }

  close(channel: XdsChannel, now: number): void {
    for (const [key, one] of this.#channels) if (one === channel) this.#channels.delete(key);
    channel.close(now);
  }

  withId(id: ChannelId): XdsChannel | undefined {
    for (const channel of this.#channels.values()) if (channel.id === id) return channel;
    return undefined;
  }

  /** Undefined for a stream that ended or was replaced. */
  withStream(stream: StreamId): XdsChannel | undefined {
    for (const channel of this.#channels.values()) if (channel.streamId === stream) return channel;
    return undefined;
  }

  nextDeadline(): number | undefined {
    return earliestOf(this.#channels.values(), (channel) => channel.nextDeadline());
  }
}

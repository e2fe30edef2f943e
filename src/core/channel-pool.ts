import { earliestOf } from '../base/earliest.js';
import { getOrAdd } from '../base/get-or-add.js';
import { serverKey } from './authority.js';
import type { XdsChannel } from './channel.js';
import type { ServerTarget } from './effect.js';
import type { ChannelId, StreamId } from './input.js';

/** The channels of one client. Authorities that list the same server share a channel (R6.12). */
export class ChannelPool {
  readonly #create: (server: ServerTarget) => XdsChannel;
  readonly #ignoresFeatures: boolean;
  readonly #channels = new Map<string, XdsChannel>();

  /** `ignoresFeatures`: servers that differ only in their features share a channel. */
  constructor(create: (server: ServerTarget) => XdsChannel, ignoresFeatures: boolean) {
    this.#create = create;
    this.#ignoresFeatures = ignoresFeatures;
  }

  /** Returns a copy, since channels may close during the iteration. */
  all(): XdsChannel[] {
    return [...this.#channels.values()];
  }

  to(server: ServerTarget): XdsChannel {
    return getOrAdd(this.#channels, serverKey(server, this.#ignoresFeatures), () => this.#create(server));
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

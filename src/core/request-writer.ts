import type { AdsStream } from './ads-stream.js';
import { requestEvent } from './channel-event.js';
import type { ChannelOptions } from './channel-options.js';

/** The channel, as its writer uses it. */
interface WriterPorts {
  /** Before a request is built: it contains all unsubscriptions of its type. */
  onUnsubscribe(typeUrl: string, now: number): void;
  isOpen(stream: AdsStream): boolean;
}

/** Builds the requests of the streams of a channel, and writes them one at a time. */
export class RequestWriter {
  readonly #options: ChannelOptions;
  readonly #versions: Map<string, string>;
  readonly #ports: WriterPorts;

  constructor(options: ChannelOptions, versions: Map<string, string>, ports: WriterPorts) {
    this.#options = options;
    this.#versions = versions;
    this.#ports = ports;
  }

  /** Builds a request for every changed type, if the transport can write immediately. */
  buildPendingRequests(stream: AdsStream, now: number): void {
    if (!stream.hasSentRequest) return;
    for (const typeUrl of stream.dirtyTypes) this.#buildRequest(stream, typeUrl, now);
  }

  /** Writes the next request at the end of a step, unless another write is in flight. */
  flush(stream: AdsStream, now: number): void {
    const typeUrl = stream.hasQueuedRequest ? undefined : stream.dirtyTypes[0];
    if (typeUrl !== undefined) this.#buildRequest(stream, typeUrl, now);
    const request = stream.nextRequest();
    if (request === undefined) return;
    const { owner } = this.#options;
    owner.emit(requestEvent(this.#options, now, stream, request));
    owner.emit({ kind: 'send', stream: stream.id, bytes: request.bytes });
  }

  #buildRequest(stream: AdsStream, typeUrl: string, now: number): void {
    this.#ports.onUnsubscribe(typeUrl, now);
    // R1.29: without the unsubscribed resources, no authority may use the channel any more, which closes the stream.
    if (!this.#ports.isOpen(stream)) return;
    stream.buildRequest(typeUrl);
    if (this.#options.policies.forgetUnwatchedTypes && !stream.hasNames(typeUrl)) this.#versions.delete(typeUrl);
  }
}

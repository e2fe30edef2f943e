import { finish, type Slices } from '../base/slices.js';
import type { XdsProtocol } from './protocol.js';
import { RejectedMessages } from './rejected-messages.js';
import { type Contents, ContentsList, type ReceivedResponse } from './response.js';
import type { ResponseMetadata, ResponseServer } from './response-metadata.js';
import type { AppliedResponse, ResponseStore } from './response-store.js';

/** A decoded and validated message. `apply` stores its resources; undefined if the client ignores the message. */
interface ReadMessage {
  response: Omit<ReceivedResponse, 'message'>;
  contents: Contents;
  /** It is not a DiscoveryResponse. */
  isMalformed: boolean;
  apply: ((metadata: ResponseMetadata) => AppliedResponse) | undefined;
}

/**
 * Decodes and validates the messages of a channel: a large one in slices, before the channel handles it, and a rejected one
 * that the control plane resends only once.
 */
export class MessageReader {
  readonly #protocol: XdsProtocol;
  readonly #store: ResponseStore;
  readonly #server: ResponseServer;
  readonly #rejected = new RejectedMessages<ReadMessage>();
  #prepared: { bytes: Uint8Array; message: ReadMessage } | undefined;

  constructor(protocol: XdsProtocol, store: ResponseStore, server: ResponseServer) {
    this.#protocol = protocol;
    this.#store = store;
    this.#server = server;
  }

  /** Reads a message in slices, for the `read` that follows. Changes no state. */
  *prepare(bytes: Uint8Array): Slices<void> {
    this.#prepared = { bytes, message: yield* this.#read(bytes) };
  }

  read(bytes: Uint8Array): ReadMessage {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    if (prepared?.bytes === bytes) return prepared.message;
    return this.#resent(bytes) ?? finish(this.#read(bytes));
  }

  #resent(bytes: Uint8Array): ReadMessage | undefined {
    const { revision } = this.#store;
    const known = revision === undefined ? undefined : this.#rejected.recall(bytes, revision);
    if (known === undefined) return undefined;
    const { nonce, content } = known;
    return { ...content, response: { ...content.response, nonce } };
  }

  *#read(bytes: Uint8Array): Slices<ReadMessage> {
    const store = this.#store;
    const received = yield* this.#protocol.readResponse(bytes, (typeUrl) => store.isKnownType(typeUrl));
    const { message, ...response } = received;
    const list = new ContentsList(response.typeUrl);
    if (message === undefined) return { response, contents: list.contents, isMalformed: true, apply: undefined };
    if (response.ignored !== undefined) {
      yield* list.addAll(message);
      return { response, contents: list.contents, isMalformed: false, apply: undefined };
    }
    const { revision } = store;
    const apply = yield* store.read(message, this.#server, (any, name) => list.add(any, name));
    const read = { response, contents: list.contents, isMalformed: false, apply };
    if (revision === undefined) return read;
    return {
      ...read,
      apply: (metadata) => {
        const applied = apply(metadata);
        if (applied.nack !== undefined) this.#remember(bytes, revision, read);
        return applied;
      },
    };
  }

  #remember(bytes: Uint8Array, revision: number, read: ReadMessage): void {
    const range = this.#protocol.nonceRange(bytes);
    if (range !== undefined) this.#rejected.remember(read.response.typeUrl, bytes, range, revision, read);
  }
}

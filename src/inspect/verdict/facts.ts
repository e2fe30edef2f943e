import type { Status } from '../../base/status.js';
import type { Event, ResponseEvent } from '../../core/event.js';
import { TYPE_URLS } from '../../proto/resource-types.js';

/** The last response of one type from one server. */
export interface LastResponse {
  at: number;
  version: string;
  /** Names of its resources; at most `MAX_NAMES` are kept. */
  names: readonly string[];
  count: number;
  /** The message of the NACK, if the client rejected it. */
  nack: string | undefined;
}

/** A response that omitted a resource which the client had. */
export interface Deletion {
  server: string;
  version: string | undefined;
}

interface ServerFacts {
  /** The client has sent a request on a stream to this server. */
  hasReceivedRequest: boolean;
  /** The server has sent a response that gRPC can read. */
  hasResponded: boolean;
  ignored: IgnoredResponse | undefined;
  /** The last two streams that the server ended, newest first. */
  ended: readonly EndedStream[];
}

interface EndedStream {
  at: number;
  status: Status;
}

/** A response that gRPC ignores (R1.24): its type was not requested, or it is not a DiscoveryResponse. */
export interface IgnoredResponse {
  /** '' if the message could not be read. */
  typeUrl: string;
  reason: string;
}

const NO_FACTS: ServerFacts = { hasReceivedRequest: false, hasResponded: false, ignored: undefined, ended: [] };

/** Bounds memory: a control plane may send and delete any number of names. */
const MAX_NAMES = 100;
const MAX_DELETIONS = 1000;

/** The contents of `VerdictFacts`. The values do not change. */
export interface FactsState {
  servers: ReadonlyMap<string, ServerFacts>;
  responses: ReadonlyMap<string, LastResponse>;
  deletions: ReadonlyMap<string, Deletion>;
  fallbacks: ReadonlyMap<string, number>;
  listeners: ReadonlyMap<string, readonly string[]>;
}

/**
 * The facts that a verdict needs and that only the event log has: the last responses of each server, deletions, and the
 * time of the last fallback. A replayed recording has the same events, so it has the same facts.
 */
export class VerdictFacts {
  readonly #servers: Map<string, ServerFacts>;
  readonly #responses: Map<string, LastResponse>;
  readonly #deletions: Map<string, Deletion>;
  readonly #fallbacks: Map<string, number>;
  readonly #listeners: Map<string, readonly string[]>;

  constructor(state?: FactsState) {
    this.#servers = new Map(state?.servers);
    this.#responses = new Map(state?.responses);
    this.#deletions = new Map(state?.deletions);
    this.#fallbacks = new Map(state?.fallbacks);
    this.#listeners = new Map(state?.listeners);
  }

  /** A copy, from which other facts can continue. */
  state(): FactsState {
    return {
      servers: new Map(this.#servers),
      responses: new Map(this.#responses),
      deletions: new Map(this.#deletions),
      fallbacks: new Map(this.#fallbacks),
      listeners: new Map(this.#listeners),
    };
  }

  observe(event: Event): void {
    switch (event.kind) {
      case 'timer':
        // R2.1: the timer starts when the request was sent, so the server has accepted the stream.
        if (event.change === 'started') this.#learn(event, { hasReceivedRequest: true });
        break;
      case 'stream':
        if (event.change === 'ended' && event.status !== undefined) {
          const [last] = this.server(event.scope, event.server).ended;
          const ended = { at: event.at, status: event.status };
          this.#learn(event, { ended: last === undefined ? [ended] : [ended, last] });
        }
        break;
      case 'response':
        this.#observeResponse(event);
        break;
      case 'resource':
        if (this.#deletions.size > 0) this.#deletions.delete(keyOf(event.scope, event.typeUrl, event.name));
        break;
      case 'error':
        if (event.cause === 'deletion') {
          const { server, version } = event;
          keep(this.#deletions, keyOf(event.scope, event.typeUrl, event.name), { server, version });
        }
        break;
      case 'fallback':
        this.#fallbacks.set(keyOf(event.scope, event.authority), event.at);
        break;
    }
  }

  server(scope: string, server: string): Readonly<ServerFacts> {
    return this.#servers.get(keyOf(scope, server)) ?? NO_FACTS;
  }

  /** The last response of a server for a type, unless it arrived before `since`. */
  lastResponse(scope: string, server: string, typeUrl: string, since: number): LastResponse | undefined {
    const response = this.#responses.get(keyOf(scope, server, typeUrl));
    return response === undefined || response.at < since ? undefined : response;
  }

  deletion(scope: string, typeUrl: string, name: string): Deletion | undefined {
    return this.#deletions.get(keyOf(scope, typeUrl, name));
  }

  /** Stores the names in the response to a wildcard LDS subscription. The events of the client do not contain them. */
  learnListeners(scope: string, server: string, names: readonly string[]): void {
    this.#listeners.set(keyOf(scope, server), names);
  }

  listeners(scope: string, server: string): readonly string[] | undefined {
    return this.#listeners.get(keyOf(scope, server));
  }

  /** When an authority last switched to another server (A71). */
  movedAt(scope: string, authority: string): number | undefined {
    return this.#fallbacks.get(keyOf(scope, authority));
  }

  #observeResponse({ at, scope, server, typeUrl, version, names, ignored, refused }: ResponseEvent): void {
    if (ignored !== undefined) {
      this.#learn({ scope, server }, { ignored: { typeUrl, reason: ignored } });
      return;
    }
    this.#learn({ scope, server }, { hasResponded: true });
    // The library can watch other types, which verdicts do not need.
    if (!TYPE_URLS.includes(typeUrl)) return;
    this.#responses.set(keyOf(scope, server, typeUrl), {
      at,
      version,
      names: names.slice(0, MAX_NAMES),
      count: names.length,
      nack: refused,
    });
  }

  #learn({ scope, server }: Pick<ResponseEvent, 'scope' | 'server'>, facts: Partial<ServerFacts>): void {
    this.#servers.set(keyOf(scope, server), { ...this.server(scope, server), ...facts });
  }
}

function keyOf(...parts: string[]): string {
  return parts.join('\n');
}

/** Adds an entry and removes the oldest one if there are too many. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_DELETIONS && oldest !== undefined) map.delete(oldest);
}

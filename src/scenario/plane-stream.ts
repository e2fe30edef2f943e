import { sameBytes } from '../base/bytes.js';
import type { DiscoveryRequest } from '../proto/generated/envoy.service.discovery.v3.js';
import { isCompleteInEveryResponse } from '../proto/resource-types.js';
import { sentName } from './encode-response.js';
import type { PlaneStreamId } from './plane-io.js';
import type { Holding, RequestPattern, SentResource } from './scenario.js';

/** What a server knows of one type on one stream. */
interface Subscription {
  names: ReadonlySet<string>;
  wildcard: boolean;
  /** Of the last response sent; a request with an older one has crossed it on the wire and says nothing. */
  nonce: string;
  /** What the client was last sent from what the server holds. */
  sent: readonly SentResource[];
}

/** A request, with what it means on its stream. */
export interface SeenRequest {
  stream: PlaneStreamId;
  request: DiscoveryRequest;
  asks: boolean;
  accepts: boolean;
  refuses: boolean;
  stale: boolean;
  added: ReadonlySet<string>;
}

/** One ADS stream as a server sees it. */
export class PlaneStream {
  readonly id: PlaneStreamId;
  readonly server: string;
  /** The n-th stream that its server accepted, from 1. */
  readonly ordinal: number;
  /** How often each trigger has applied here. */
  readonly triggered = new Map<object, number>();
  /** The node of the first request; later ones leave it out. */
  nodeId = '';
  readonly #types = new Map<string, Subscription>();
  #nonces = 0;

  constructor(id: PlaneStreamId, server: string, ordinal: number) {
    this.id = id;
    this.server = server;
    this.ordinal = ordinal;
  }

  /** Takes note of a request and says what it means. */
  note(request: DiscoveryRequest): SeenRequest {
    const before = this.#types.get(request.typeUrl);
    const names = new Set(request.resourceNames);
    const added = new Set([...names].filter((name) => before === undefined || !before.names.has(name)));
    const removed = before !== undefined && [...before.names].some((name) => !names.has(name));
    const stale = request.responseNonce !== (before?.nonce ?? '') && request.responseNonce !== '';
    if (request.node !== undefined) this.nodeId = request.node.id;
    // A first request without names is a wildcard for listeners and clusters; later it means "nothing any more".
    const wildcard =
      names.has('*') ||
      (before === undefined
        ? names.size === 0 && isCompleteInEveryResponse(request.typeUrl)
        : before.wildcard && names.size === 0);
    if (!stale)
      this.#types.set(request.typeUrl, { names, wildcard, nonce: before?.nonce ?? '', sent: before?.sent ?? [] });
    return {
      stream: this.id,
      request,
      stale,
      added,
      asks: before === undefined || added.size > 0 || removed,
      accepts: !stale && request.responseNonce !== '' && request.errorDetail === undefined,
      refuses: request.errorDetail !== undefined,
    };
  }

  nextNonce(): string {
    return `${this.id}.${++this.#nonces}`;
  }

  sent(typeUrl: string, nonce: string): void {
    const subscription = this.#types.get(typeUrl) ?? { names: new Set(), wildcard: false, nonce: '', sent: [] };
    this.#types.set(typeUrl, { ...subscription, nonce });
  }

  /** What to send in answer to a request, from what the server holds; `undefined` for silence. */
  answer(seen: SeenRequest, holding: Holding): Holding | undefined {
    const typeUrl = holding.typeUrl;
    const subscription = this.#types.get(typeUrl);
    if (seen.stale || !seen.asks || subscription === undefined) return undefined;
    const visible = this.#visible(subscription, holding);
    const isNew = subscription.nonce === '';
    const news = [...visible.resources.map(sentName), ...visible.errors.map((e) => e.name ?? '')].some((name) =>
      seen.added.has(name),
    );
    if (
      !news &&
      !(isCompleteInEveryResponse(typeUrl) && (isNew || seen.added.size > 0)) &&
      !(subscription.wildcard && isNew)
    )
      return undefined;
    return this.#remember(typeUrl, subscription, visible);
  }

  /** What to push when the server's holding has changed; `undefined` if this stream would see no difference. */
  push(holding: Holding): Holding | undefined {
    const subscription = this.#types.get(holding.typeUrl);
    if (subscription === undefined || (subscription.names.size === 0 && !subscription.wildcard)) return undefined;
    const visible = this.#visible(subscription, holding);
    const before = new Map(subscription.sent.map((one) => [sentName(one), one]));
    const now = new Set(visible.resources.map(sentName));
    const gone = [...before.keys()].some((name) => !now.has(name));
    const changed = visible.resources.some((one) => !isSame(one, before.get(sentName(one))));
    if (!changed && visible.errors.length === 0 && !(gone && isCompleteInEveryResponse(holding.typeUrl)))
      return undefined;
    return this.#remember(holding.typeUrl, subscription, visible);
  }

  #visible({ names, wildcard }: Subscription, holding: Holding): Holding {
    const isAsked = (name: string | undefined): boolean => wildcard || (name !== undefined && names.has(name));
    return {
      ...holding,
      resources: holding.resources.filter((r) => isAsked(sentName(r))),
      errors: holding.errors.filter((e) => isAsked(e.name)),
    };
  }

  #remember(typeUrl: string, subscription: Subscription, visible: Holding): Holding {
    this.#types.set(typeUrl, { ...subscription, sent: visible.resources });
    return visible;
  }
}

function isSame(a: SentResource, b: SentResource | undefined): boolean {
  if (b === undefined || a.wrapper?.version !== b.wrapper?.version) return false;
  if (a.resource === undefined || b.resource === undefined) return a.resource === b.resource;
  return a.resource.typeUrl === b.resource.typeUrl && sameBytes(a.resource.value, b.resource.value);
}

/** Whether a request is what a trigger or an expectation speaks of. */
export function matches(pattern: RequestPattern, seen: SeenRequest): boolean {
  const { request } = seen;
  if (request.typeUrl !== pattern.typeUrl) return false;
  if (pattern.is === 'asking' && (!seen.asks || seen.stale)) return false;
  if (pattern.is === 'ack' && !seen.accepts) return false;
  if (pattern.is === 'nack' && !seen.refuses) return false;
  if (
    pattern.names !== undefined &&
    [...pattern.names].sort().join('\n') !== [...request.resourceNames].sort().join('\n')
  )
    return false;
  if (pattern.version !== undefined && pattern.version !== request.versionInfo) return false;
  if (pattern.nonce !== undefined && pattern.nonce !== request.responseNonce) return false;
  return pattern.error === undefined || (request.errorDetail?.message.includes(pattern.error) ?? false);
}

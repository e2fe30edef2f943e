import { sameBytes } from '../base/bytes.js';
import type { DiscoveryRequest } from '../proto/generated/envoy.service.discovery.v3.js';
import { isCompleteInEveryResponse } from '../proto/resource-types.js';
import { sentName } from './encode-response.js';
import type { PlaneStreamId } from './plane-io.js';
import type { RequestPattern, SentResource, ServedType } from './scenario.js';

/** What a server knows of one type on one stream. */
interface Subscription {
  names: ReadonlySet<string>;
  /** Set while no request of the type has named anything: for listeners and clusters that asks for all. */
  isLegacyWildcard: boolean;
  /** What the client was last sent from what the server holds. */
  sent: ServedType | undefined;
}

/** A request, with what it means on its stream. */
export interface ClassifiedRequest {
  stream: PlaneStreamId;
  request: DiscoveryRequest;
  subscribes: boolean;
  acks: boolean;
  nacks: boolean;
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
  /** Of the last response sent; a request with an older one has crossed it on the wire and says nothing. */
  readonly #lastNonce = new Map<string, string>();
  #nonces = 0;

  constructor(id: PlaneStreamId, server: string, ordinal: number) {
    this.id = id;
    this.server = server;
    this.ordinal = ordinal;
  }

  /** Takes note of a request and says what it means. */
  classify(request: DiscoveryRequest): ClassifiedRequest {
    const before = this.#types.get(request.typeUrl);
    const names = new Set(request.resourceNames);
    const added = new Set([...names].filter((name) => before === undefined || !before.names.has(name)));
    const removed = before !== undefined && [...before.names].some((name) => !names.has(name));
    const stale =
      request.responseNonce !== '' && request.responseNonce !== (this.#lastNonce.get(request.typeUrl) ?? '');
    if (request.node !== undefined) this.nodeId = request.node.id;
    const isLegacyWildcard =
      names.size === 0 && (before === undefined ? isCompleteInEveryResponse(request.typeUrl) : before.isLegacyWildcard);
    if (!stale) this.#types.set(request.typeUrl, { names, isLegacyWildcard, sent: before?.sent });
    return {
      stream: this.id,
      request,
      stale,
      added,
      subscribes: before === undefined || added.size > 0 || removed,
      acks: !stale && request.responseNonce !== '' && request.errorDetail === undefined,
      nacks: !stale && request.errorDetail !== undefined,
    };
  }

  nextNonce(): string {
    return `${this.id}.${++this.#nonces}`;
  }

  sent(typeUrl: string, nonce: string): void {
    this.#lastNonce.set(typeUrl, nonce);
  }

  /** What to send in answer to a request, from what the server holds; `undefined` for silence. */
  respond(classified: ClassifiedRequest, servedType: ServedType): ServedType | undefined {
    const subscription = this.#types.get(servedType.typeUrl);
    if (classified.stale || !classified.subscribes || subscription === undefined) return undefined;
    const visible = visibleTo(subscription, servedType);
    const isFirst = subscription.sent === undefined;
    const visibleNames = [...visible.resources.map(sentName), ...visible.errors.map((e) => e.name ?? '')];
    const hasRequestedNames =
      visibleNames.some((name) => classified.added.has(name)) || (isFirst && isWildcard(subscription));
    const isEmptyResponseDue = isCompleteInEveryResponse(servedType.typeUrl) && (isFirst || classified.added.size > 0);
    return hasRequestedNames || isEmptyResponseDue ? this.#remember(subscription, visible) : undefined;
  }

  /** What to push when the server's holding has changed; `undefined` if this stream would see no difference. */
  push(servedType: ServedType): ServedType | undefined {
    const subscription = this.#types.get(servedType.typeUrl);
    if (subscription === undefined || (subscription.names.size === 0 && !isWildcard(subscription))) return undefined;
    const visible = visibleTo(subscription, servedType);
    return isDifferent(subscription.sent, visible) ? this.#remember(subscription, visible) : undefined;
  }

  #remember(subscription: Subscription, visible: ServedType): ServedType {
    this.#types.set(visible.typeUrl, { ...subscription, sent: visible });
    return visible;
  }
}

function isWildcard({ names, isLegacyWildcard }: Subscription): boolean {
  return isLegacyWildcard || names.has('*');
}

function visibleTo(subscription: Subscription, servedType: ServedType): ServedType {
  const all = isWildcard(subscription);
  const isRequested = (name: string | undefined): boolean =>
    all || (name !== undefined && subscription.names.has(name));
  return {
    ...servedType,
    resources: servedType.resources.filter((r) => isRequested(sentName(r))),
    errors: servedType.errors.filter((e) => isRequested(e.name)),
  };
}

/** Whether a client that was sent `before` learns anything from `after`; only LDS and CDS can say that something is gone. */
function isDifferent(before: ServedType | undefined, after: ServedType): boolean {
  const known = new Map(before?.resources.map((one) => [sentName(one), one]));
  if (after.resources.some((one) => !isSame(one, known.get(sentName(one))))) return true;
  if (JSON.stringify(before?.errors ?? []) !== JSON.stringify(after.errors)) return true;
  return isCompleteInEveryResponse(after.typeUrl) && known.size > after.resources.length;
}

function isSame(a: SentResource, b: SentResource | undefined): boolean {
  if (b === undefined || JSON.stringify(a.wrapper) !== JSON.stringify(b.wrapper)) return false;
  if (a.resource === undefined || b.resource === undefined) return a.resource === b.resource;
  return a.resource.typeUrl === b.resource.typeUrl && sameBytes(a.resource.value, b.resource.value);
}

/** Whether a request is what a trigger or an expectation speaks of. */
export function matches(pattern: RequestPattern, classified: ClassifiedRequest): boolean {
  const { request } = classified;
  if (request.typeUrl !== pattern.typeUrl) return false;
  if (pattern.is === 'asking' && (!classified.subscribes || classified.stale)) return false;
  if (pattern.is === 'ack' && !classified.acks) return false;
  if (pattern.is === 'nack' && !classified.nacks) return false;
  if (
    pattern.names !== undefined &&
    [...pattern.names].sort().join('\n') !== [...request.resourceNames].sort().join('\n')
  )
    return false;
  if (pattern.version !== undefined && pattern.version !== request.versionInfo) return false;
  if (pattern.nonce !== undefined && pattern.nonce !== request.responseNonce) return false;
  return pattern.error === undefined || (request.errorDetail?.message.includes(pattern.error) ?? false);
}

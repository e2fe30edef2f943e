import { sameBytes } from '../base/bytes.js';
import type { DiscoveryRequest } from '../proto/generated/envoy.service.discovery.v3.js';
import { isCompleteInEveryResponse } from '../proto/resource-types.js';
import { sentName } from './encode-response.js';
import type { PlaneStreamId } from './plane-io.js';
import type { RequestPattern, SentResource, ServedType } from './scenario.js';

/** The subscription of a client to one type on one stream. */
interface Subscription {
  names: ReadonlySet<string>;
  /** No request of the type has contained names yet, which is a wildcard for listeners and clusters. */
  isLegacyWildcard: boolean;
  /** The last response from the served types. */
  sent: ServedType | undefined;
}

/** A request with its meaning on its stream. */
export interface ClassifiedRequest {
  stream: PlaneStreamId;
  request: DiscoveryRequest;
  subscribes: boolean;
  acks: boolean;
  nacks: boolean;
  stale: boolean;
  added: ReadonlySet<string>;
}

/** The server side of one ADS stream. */
export class PlaneStream {
  readonly id: PlaneStreamId;
  readonly server: string;
  /** Number of the stream on its server, from 1. */
  readonly ordinal: number;
  /** How often each trigger has applied on this stream. */
  readonly triggered = new Map<object, number>();
  /** The node id of the first request; later requests omit it. */
  nodeId = '';
  readonly #types = new Map<string, Subscription>();
  /** Nonce of the last response. A request with an older nonce crossed that response on the wire and is ignored. */
  readonly #lastNonce = new Map<string, string>();
  #nonces = 0;

  constructor(id: PlaneStreamId, server: string, ordinal: number) {
    this.id = id;
    this.server = server;
    this.ordinal = ordinal;
  }

  /** Updates the subscription with a request, and classifies the request. */
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

  /** Returns the response to a request; `undefined` if the server does not respond. */
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

  /** Returns the response to push after a change of a served type; `undefined` if the change does not affect this stream. */
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

/** Whether `after` contains a change from `before` for the client. Only LDS and CDS can report a deletion. */
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

/** Whether a request matches the pattern of a trigger or an expectation. */
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

import { shortType } from '../../../src/proto/resource-types.ts';
import type { LoggedEvent } from '../client/logged-event.ts';
import { type ClientStream, type PlaneSideStream, requestsOn, responsesOn } from './stream-log.ts';

/** Finds the stream of the control plane that belongs to a stream of a client, by the nonces of its responses. */
export class StreamMatcher {
  readonly #byNonce = new Map<string, PlaneSideStream>();
  readonly #taken = new Map<PlaneSideStream, ClientStream>();

  constructor(planeStreams: Iterable<PlaneSideStream>) {
    for (const stream of planeStreams) for (const { nonce } of stream.responses) this.#byNonce.set(nonce, stream);
  }

  /** Returns undefined if the client received no response on the stream. */
  match(stream: ClientStream, failures: string[]): PlaneSideStream | undefined {
    const [first] = responsesOn(stream);
    if (first === undefined) return undefined;
    const plane = this.#byNonce.get(first.nonce ?? '');
    if (plane === undefined) {
      failures.push(`stream ${stream.id}: the control plane sent no response with nonce ${first.nonce}`);
      return undefined;
    }
    const other = this.#taken.get(plane);
    if (other !== undefined) failures.push(`streams ${other.id} and ${stream.id} have responses of the same stream`);
    this.#taken.set(plane, stream);
    return plane;
  }
}

/**
 * Each response that the control plane sent on a stream is one event, in order, until the connection breaks. So the
 * events are the first responses of the control plane, and all of them on a stream that is still open.
 */
export function checkResponses(stream: ClientStream, plane: PlaneSideStream, failures: string[]): void {
  const sent = plane.responses.map((one) => text(one.nonce, shortType(one.typeUrl), one.version, one.names));
  const seen = responsesOn(stream).map((one) => text(one.nonce, one.type, one.version, one.names));
  comparePrefix(`stream ${stream.id}: response`, seen, sent, stream.isOpen, failures);
}

/**
 * Each request of a client is one event, in order. So the requests that the control plane received are the first events,
 * and all of them on a stream that is still open.
 */
export function checkRequests(stream: ClientStream, plane: PlaneSideStream, failures: string[]): void {
  const received = plane.requests.map((one) =>
    text(one.nonce, shortType(one.typeUrl), one.version, one.names, one.error !== undefined),
  );
  const sent = requestsOn(stream).map((one) => text(one.nonce, one.type, one.version, one.names, isNack(one)));
  comparePrefix(`stream ${stream.id}: received request`, received, sent, stream.isOpen, failures);
}

/** A nonce in a request is that of the last response of its type. A response has one NACK at most, and no ACK is missing. */
export function checkAcknowledgements({ id, isOpen, messages }: ClientStream, failures: string[]): void {
  const last = new Map<string | undefined, string>();
  const nacked = new Set<string>();
  const pending = new Map<string | undefined, string>();
  for (const message of messages) {
    const { kind, type, nonce = '', ignored } = message;
    if (kind === 'response') {
      if (ignored) continue;
      last.set(type, nonce);
      pending.set(type, nonce);
      continue;
    }
    if (nonce !== (last.get(type) ?? '')) failures.push(`stream ${id}: ${type} request with nonce "${nonce}"`);
    if (isNack(message) && nacked.has(nonce)) failures.push(`stream ${id}: a second NACK with nonce "${nonce}"`);
    if (isNack(message)) nacked.add(nonce);
    pending.delete(type);
  }
  if (!isOpen) return;
  for (const [type, nonce] of pending) failures.push(`stream ${id}: ${type} ${nonce} has no ACK and no NACK`);
}

function isNack({ error }: LoggedEvent): boolean {
  return error !== null && error !== undefined;
}

function text(
  nonce = '',
  type: string | undefined,
  version = '',
  names: readonly string[] = [],
  isError = false,
): string {
  return `${type} version "${version}" nonce "${nonce}" [${[...names].sort().join(', ')}]${isError ? ' NACK' : ''}`;
}

/** Whether the first list is the beginning of the second, and equal to it if the stream is open. */
function comparePrefix(
  what: string,
  first: readonly string[],
  all: readonly string[],
  isOpen: boolean,
  failures: string[],
): void {
  const wrong = first.findIndex((one, i) => one !== all[i]);
  if (wrong >= 0) failures.push(`${what} ${wrong + 1} is ${first[wrong]} instead of ${all[wrong] ?? 'none'}`);
  else if (isOpen && first.length < all.length)
    failures.push(`${what} ${first.length + 1} is missing: ${all[first.length]}`);
}

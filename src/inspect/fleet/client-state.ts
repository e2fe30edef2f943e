import { contentKey } from '../../base/content-hash.js';
import { getOrAdd } from '../../base/get-or-add.js';
import type { CacheStatus } from '../../core/cache-status.js';
import type { ClientDump, DumpedResource, SyncStatus } from '../../csds/dump.js';
import { TYPE_URLS } from '../../proto/resource-types.js';
import type { VerdictWord } from '../verdict/verdict.js';

/** A resource as a client has it. All clients that have it in the same way share this object. */
export interface HeldResource {
  typeUrl: string;
  name: string;
  /** The state to show: a control plane may only know whether its client is in sync. */
  status: CacheStatus | SyncStatus;
  /** The version in use; null if there is none. */
  version: string | null;
  /** Equal for equal contents; undefined if the response does not show them. */
  contents: string | undefined;
  error: { message: string; version: string | null } | undefined;
}

/** The worst verdict of a client's targets. */
export interface StateVerdict {
  word: VerdictWord;
  cause: string | null;
}

/** Everything about a client that other clients may have in common with it. */
export interface ClientState {
  /** As printed: `xds:///greeter`; empty if the client has none. */
  scope: string;
  /** By type, then by name. */
  resources: readonly HeldResource[];
  verdict: StateVerdict;
}

/** A client in a response, before its state is shared. */
export interface DescribedClient {
  key: string;
  resources: readonly HeldResource[];
  /** When each resource was received; NaN if the response does not say. */
  times: Float64Array;
  /** When each failed update was received, by the index of the resource. */
  errorTimes: ReadonlyMap<number, number> | undefined;
}

/** Shares equal resources and equal states between clients, so that a client costs little beyond what differs. */
export class StatePool {
  #resources = new Map<string, { id: number; held: HeldResource }>();
  #states = new Map<string, ClientState>();
  #lastId = 0;
  #sweptSize = 1000;

  describe(scope: string, { resources }: Pick<ClientDump, 'resources'>): DescribedClient {
    const sorted = [...resources].sort(byTypeAndName);
    const shared = sorted.map((one) => this.#shared(one));
    const times = new Float64Array(sorted.length);
    let errorTimes: Map<number, number> | undefined;
    for (const [i, { updatedAt, error }] of sorted.entries()) {
      times[i] = updatedAt ?? Number.NaN;
      if (error?.at === undefined) continue;
      errorTimes ??= new Map();
      errorTimes.set(i, error.at);
    }
    const key = `${JSON.stringify(scope)} ${shared.map(({ id }) => id).join(' ')}`;
    return { key, resources: shared.map(({ held }) => held), times, errorTimes };
  }

  state(key: string): ClientState | undefined {
    return this.#states.get(key);
  }

  /** Returns the state that is shared under this key. */
  add(key: string, state: ClientState): ClientState {
    return getOrAdd(this.#states, key, () => state);
  }

  /** Drops what no client has any more, when there is enough of it. */
  sweep(live: () => Iterable<ClientState>): void {
    if (this.#resources.size + this.#states.size < 2 * this.#sweptSize) return;
    const states = new Set(live());
    const resources = new Set([...states].flatMap((state) => state.resources));
    this.#states = new Map([...this.#states].filter(([, state]) => states.has(state)));
    this.#resources = new Map([...this.#resources].filter(([, { held }]) => resources.has(held)));
    this.#sweptSize = Math.max(1000, this.#resources.size + this.#states.size);
  }

  #shared(one: DumpedResource): { id: number; held: HeldResource } {
    const held = heldResource(one);
    const { typeUrl, name, status, version, contents, error } = held;
    const key = JSON.stringify([typeUrl, name, status, version, contents, error?.message, error?.version]);
    return getOrAdd(this.#resources, key, () => ({ id: ++this.#lastId, held }));
  }
}

function heldResource({ typeUrl, name, status, sync, version, contents, error }: DumpedResource): HeldResource {
  // Some clients report a version for a resource that they do not have.
  const isGone = contents === undefined && status === 'DOES_NOT_EXIST';
  return {
    typeUrl,
    name,
    status: status === 'UNKNOWN' ? (sync ?? status) : status,
    version: version === '' || isGone ? null : version,
    contents: contents === undefined ? undefined : contentKey(contents),
    error: error && { message: error.details, version: error.version || null },
  };
}

/** Types that gRPC does not know come last. */
export function byTypeAndName(
  a: Pick<HeldResource, 'typeUrl' | 'name'>,
  b: Pick<HeldResource, 'typeUrl' | 'name'>,
): number {
  return placeOf(a) - placeOf(b) || compareText(a.typeUrl, b.typeUrl) || compareText(a.name, b.name);
}

function placeOf({ typeUrl }: Pick<HeldResource, 'typeUrl'>): number {
  const place = TYPE_URLS.indexOf(typeUrl);
  return place < 0 ? TYPE_URLS.length : place;
}

export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

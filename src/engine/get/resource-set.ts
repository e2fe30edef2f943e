import { sameBytes } from '../../base/bytes.js';
import type { Status } from '../../base/status.js';
import type { ReceivedResource } from './received-resource.js';

/** A new or changed resource, a removed one, or an error that the server reports for a resource. */
export type ResourceSetChange =
  | { kind: 'resource'; at: number; server: string; received: ReceivedResource }
  | { kind: 'removed'; at: number; server: string; name: string }
  | { kind: 'error'; at: number; server: string; name: string; status: Status | undefined };

export type ChangedResource = Extract<ResourceSetChange, { kind: 'resource' }>;
export type ReportedError = Extract<ResourceSetChange, { kind: 'error' }>;

/** The current resources and reported errors. */
export class ResourceSet {
  readonly #keyOf: (name: string) => string;
  readonly #resources = new Map<string, ChangedResource>();
  readonly #errors = new Map<string, ReportedError>();
  readonly #changes: ResourceSetChange[] = [];

  /** `keyOf` returns the same key for all equivalent spellings of a name. */
  constructor(keyOf: (name: string) => string) {
    this.#keyOf = keyOf;
  }

  /** Stores a response. If `isComplete`, removes the resources that it omits. */
  apply(
    received: readonly ReceivedResource[],
    errors: readonly { name: string; status: Status | undefined }[],
    isComplete: boolean,
    { at, server }: { at: number; server: string },
  ): { added: number; changed: number; isNew: boolean } {
    const before = this.#changes.length;
    let [added, changed] = [0, 0];
    const mentioned = new Set<string>();
    for (const [i, one] of received.entries()) {
      // A resource without a name is identified by its index.
      const key = one.name === '' ? `\n${i}` : this.#keyOf(one.name);
      mentioned.add(key);
      const isKnown = this.#resources.has(key);
      const isNew = this.#resource(key, { kind: 'resource', at, server, received: one });
      if (isNew && isKnown) changed++;
      else if (isNew) added++;
    }
    for (const { name, status } of errors) {
      mentioned.add(this.#keyOf(name));
      this.#error({ kind: 'error', at, server, name, status });
    }
    if (isComplete) this.#removeOmitted(mentioned, at, server);
    return { added, changed, isNew: this.#changes.length > before };
  }

  #resource(key: string, next: ChangedResource): boolean {
    const last = this.#resources.get(key);
    this.#resources.set(key, next);
    const hadError = this.#errors.delete(key);
    const isNew = hadError || last === undefined || !isSame(last.received, next.received);
    if (isNew) this.#changes.push(next);
    return isNew;
  }

  #error(next: ReportedError): void {
    const key = this.#keyOf(next.name);
    const last = this.#errors.get(key);
    this.#errors.set(key, next);
    const isSameError = last?.status?.code === next.status?.code && last?.status?.message === next.status?.message;
    if (last === undefined || !isSameError) this.#changes.push(next);
  }

  #removeOmitted(mentioned: ReadonlySet<string>, at: number, server: string): void {
    for (const [key, { received }] of this.#resources) {
      if (mentioned.has(key)) continue;
      this.#resources.delete(key);
      this.#changes.push({ kind: 'removed', at, server, name: received.name });
    }
  }

  has(name: string): boolean {
    return this.#resources.has(this.#keyOf(name)) || this.#errors.has(this.#keyOf(name));
  }

  get resources(): ChangedResource[] {
    return [...this.#resources.values()];
  }

  get errors(): ReportedError[] {
    return [...this.#errors.values()];
  }

  /** Removes and returns all changes since the last call. */
  takeChanges(): ResourceSetChange[] {
    return this.#changes.splice(0);
  }
}

/** Versions are not compared: the version of a response changes with any resource in it. */
function isSame(a: ReceivedResource, b: ReceivedResource): boolean {
  if (a.verdict !== b.verdict || a.resource?.typeUrl !== b.resource?.typeUrl) return false;
  return sameBytes(a.resource?.value ?? NO_BYTES, b.resource?.value ?? NO_BYTES);
}

const NO_BYTES = new Uint8Array(0);

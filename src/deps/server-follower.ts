import type { InternalWatcher, WatcherUpdate } from '../core/watcher.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { sameResource } from '../resources/equal.js';
import type { ListenerResource } from '../resources/listener.js';
import { routeNamesOf } from '../resources/references.js';
import type { FollowerPorts } from './ports.js';

const { LDS, RDS } = RESOURCE_TYPES;

interface Routes {
  name: string;
  hasResult: boolean;
}

/** A version of the listener with its route configurations. */
interface Generation {
  listener: ListenerResource;
  routes: Map<InternalWatcher, Routes>;
}

/**
 * Follows the configuration of an xDS-enabled gRPC server for one listening address (A36): its listener, and the route
 * configurations that its filter chains name.
 */
export class ServerFollower {
  readonly #name: string;
  readonly #address: string;
  readonly #ports: FollowerPorts;
  readonly #listenerWatcher: InternalWatcher;
  #current: Generation | undefined;
  #pending: Generation | undefined;

  constructor(name: string, address: string, ports: FollowerPorts) {
    this.#name = name;
    this.#address = address;
    this.#ports = ports;
    this.#listenerWatcher = ports.watch(LDS, name);
  }

  get isWithheld(): boolean {
    return this.#pending !== undefined;
  }

  onUpdate(watcher: InternalWatcher, update: WatcherUpdate): void {
    if (watcher === this.#listenerWatcher) this.#onListener(update);
    else this.#onRoutes(watcher, update);
  }

  close(): void {
    this.#ports.unwatch(this.#listenerWatcher);
    this.#unwatch(this.#current);
    this.#unwatch(this.#pending);
  }

  #onListener(update: WatcherUpdate): void {
    if (update.kind === 'OnAmbientError') return;
    const listener = 'error' in update || update.resource.type !== 'LDS' ? undefined : update.resource.value;
    if (listener?.kind !== 'server' || listener.address !== this.#address) {
      this.#fail(
        `LDS resource ${this.#name}${'error' in update ? `: ${update.error.message}` : mismatchText(listener)}`,
      );
      return;
    }
    if (this.#current !== undefined && sameResource(this.#current.listener, listener)) return;
    const before = this.#pending;
    const routes = new Map<InternalWatcher, Routes>();
    for (const name of routeNamesOf(listener)) routes.set(this.#ports.watch(RDS, name), { name, hasResult: false });
    this.#pending = { listener, routes };
    this.#unwatch(before);
    this.#promote();
  }

  #onRoutes(watcher: InternalWatcher, update: WatcherUpdate): void {
    const routes = this.#pending?.routes.get(watcher) ?? this.#current?.routes.get(watcher);
    if (routes === undefined || update.kind === 'OnAmbientError') return;
    routes.hasResult = true;
    this.#promote();
  }

  /** Publishes the new listener when all of its route configurations have arrived. */
  #promote(): void {
    const next = this.#pending;
    if (next === undefined || [...next.routes.values()].some(({ hasResult }) => !hasResult)) return;
    const before = this.#current;
    this.#current = next;
    this.#pending = undefined;
    this.#unwatch(before);
    this.#ports.publish({ kind: 'served', listener: next.listener });
  }

  #fail(message: string): void {
    this.#unwatch(this.#current);
    this.#unwatch(this.#pending);
    this.#current = undefined;
    this.#pending = undefined;
    this.#ports.publish({ kind: 'error', message, statusTexts: 'c-core' });
  }

  #unwatch(generation: Generation | undefined): void {
    for (const watcher of generation?.routes.keys() ?? []) this.#ports.unwatch(watcher);
  }
}

function mismatchText(listener: ListenerResource | undefined): string {
  return listener?.kind === 'server' ? ' address does not match listening address' : ' is not a TCP listener';
}

import type { QueryId, Resolution } from '../core/input.js';
import { statusTexts } from '../core/status-texts/index.js';
import type { StatusTexts, TargetFailure } from '../core/status-texts/status-texts.js';
import type { WatcherUpdate } from '../core/watcher.js';
import type { ShortType } from '../proto/resource-types.js';
import { clusterNamesOf } from '../resources/references.js';
import type { RouteConfigResource } from '../resources/route-configuration.js';
import { apiListener } from './api-listener.js';
import { CollectedWatches } from './collected-watches.js';
import type { ConfigState, VirtualHost, XdsConfig } from './config.js';
import type { ResourceLookup } from './graph.js';
import { HeldClusters } from './held-clusters.js';
import { LeafBuilder } from './leaf-builder.js';
import type { ManagerOptions } from './manager-options.js';
import type { FollowerPorts } from './ports.js';
import type { TargetManager } from './target-manager.js';
import { RouteIndex } from './tears/route-index.js';
import type { TornRoute } from './tears/tear.js';
import { findVirtualHost } from './virtual-host.js';

/**
 * Follows a target like grpc-java: an update only adds watches, and building a configuration removes those that it does
 * not use. So a replaced resource stays watched until its successor arrives, and any missing resource withholds the
 * configuration, also an error.
 */
export class CollectingManager implements TargetManager {
  readonly #options: ManagerOptions;
  readonly #ports: FollowerPorts;
  readonly #texts: StatusTexts;
  readonly #watches: CollectedWatches;
  readonly #held = new HeldClusters();
  /** Clusters that the published configuration can select: RPCs keep them until another configuration replaces it. */
  #selected: ReadonlySet<string> = new Set();
  #applied: ConfigState = { kind: 'none' };
  #isDirty = false;

  constructor(options: ManagerOptions, ports: FollowerPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#texts = statusTexts(options.policies.statusTexts);
    this.#watches = new CollectedWatches(ports, options);
    ports.setNeeds(['LDS'], [{ type: 'LDS', name: options.listener }]);
    this.#watches.add('LDS', options.listener);
  }

  get applied(): ConfigState {
    return this.#applied;
  }

  get isWithheld(): boolean {
    return this.#applied.kind !== 'none' && this.#watches.isWaiting;
  }

  get held(): ReadonlyMap<string, number> {
    return this.#held.counts;
  }

  get lookup(): ResourceLookup {
    return this.#watches.lookup;
  }

  /** Every update is a new configuration. */
  takeReplaced(): string[] {
    return [];
  }

  routesTo(type: ShortType, name: string): TornRoute[] {
    if (type === 'LDS' || type === 'RDS' || this.#applied.kind !== 'published') return [];
    const { clusters, virtualHost } = this.#applied.config;
    const index = new RouteIndex(virtualHost.routes, this.lookup);
    if (type === 'CDS') return index.routesTo([name]);
    return index.routesTo([...clusters.keys()].filter((cluster) => this.#watches.endpointsOf(cluster) === name));
  }

  onUpdate(type: ShortType, name: string, update: WatcherUpdate): void {
    // An ambient error changes nothing while the resource is in use.
    if (update.kind === 'OnAmbientError' || !this.#watches.set(type, name, update)) return;
    if ('resource' in update) this.#watchChildren(type, name, update.resource);
    this.#isDirty = true;
    this.processUpdates();
  }

  onResolved(query: QueryId, result: Resolution, now: number): void {
    if (this.#watches.hosts.onResolved(query, result, now) !== undefined) this.#isDirty = true;
  }

  nextDeadline(): number | undefined {
    return this.#watches.hosts.nextDeadline();
  }

  tick(now: number): void {
    this.#watches.hosts.tick(now);
  }

  hold(cluster: string): void {
    if (!this.#held.hold(cluster)) return;
    this.#watches.add('CDS', cluster);
    this.#isDirty = true;
  }

  release(cluster: string): void {
    if (this.#held.release(cluster)) this.#isDirty = true;
  }

  close(): void {
    this.#watches.close();
  }

  processUpdates(): boolean {
    if (!this.#isDirty) return false;
    while (this.#isDirty) {
      this.#isDirty = false;
      if (!this.#watches.isWaiting) this.#build();
    }
    return true;
  }

  processUpdatesIfComplete(): void {
    this.processUpdates();
  }

  #watchChildren(type: ShortType, name: string, resource: Extract<WatcherUpdate, { resource: unknown }>['resource']) {
    if (type === 'LDS') {
      const routes = apiListener(resource)?.routes;
      if (routes?.kind === 'inline') this.#watchClusters(routes.config);
      else if (routes !== undefined) this.#watches.add('RDS', routes.name);
    } else if (resource.type === 'RDS') this.#watchClusters(resource.value);
    else if (resource.type === 'CDS') this.#watches.addChildren(name, resource.value);
  }

  #watchClusters(routes: RouteConfigResource): void {
    const virtualHost = this.#hostIn(routes);
    if (virtualHost === undefined) return;
    for (const cluster of clusterNamesOf(virtualHost)) this.#watches.add('CDS', cluster);
  }

  #hostIn(routes: RouteConfigResource): VirtualHost | undefined {
    const { authority, policies } = this.#options;
    return findVirtualHost(routes, authority, policies);
  }

  /** Publishes a configuration or an error, and ends the watches that it does not use. */
  #build(): void {
    this.#watches.startTrace();
    const state = this.#state();
    this.#watches.endTrace();
    this.#applied = state;
    this.#ports.publish(state);
    const before = this.#selected;
    this.#selected = new Set(state.kind === 'published' ? clusterNamesOf(state.config.virtualHost) : []);
    if ([...before].some((name) => !this.#selected.has(name))) this.#isDirty = true;
  }

  #state(): ConfigState {
    const { listener: name, policies } = this.#options;
    const listener = this.#watches.use('LDS', name);
    if (listener === undefined || 'error' in listener) return this.#error(listener?.error.message ?? '');
    const manager = apiListener(listener.resource);
    if (manager === undefined) return this.#failure({ by: 'listener kind', name });
    const { routes } = manager;
    const routesName = routes?.kind === 'inline' ? '' : (routes?.name ?? '');
    const found = routes?.kind === 'inline' ? routes.config : this.#routesNamed(routesName);
    if ('error' in found) return this.#error(found.error);
    const virtualHost = this.#hostIn(found);
    if (virtualHost === undefined) {
      const place = routesName === '' ? ({ type: 'LDS', name } as const) : ({ type: 'RDS', name: routesName } as const);
      return this.#failure({ by: 'virtual host', ...place, authority: this.#options.authority });
    }
    const config: XdsConfig = {
      listener: manager,
      routeConfigName: routesName,
      routeConfig: found,
      virtualHost,
      clusters: this.#clusters(virtualHost),
      listenerNote: '',
      routesNote: '',
      statusTexts: policies.statusTexts,
    };
    return { kind: 'published', config };
  }

  #routesNamed(name: string): RouteConfigResource | { error: string } {
    const routes = this.#watches.use('RDS', name);
    if (routes === undefined || 'error' in routes) return { error: routes?.error.message ?? '' };
    return routes.resource.type === 'RDS' ? routes.resource.value : { error: '' };
  }

  #clusters(virtualHost: VirtualHost): XdsConfig['clusters'] {
    const before = this.#applied.kind === 'published' ? this.#applied.config.clusters : new Map();
    const builder = new LeafBuilder(this.#watches, this.#texts, before);
    for (const name of [...clusterNamesOf(virtualHost), ...this.#selected, ...this.#held.counts.keys()]) {
      builder.add(name);
    }
    return builder.clusters;
  }

  #failure(failure: TargetFailure): ConfigState {
    return this.#error(this.#texts.targetError(failure, this.#options.nodeId));
  }

  #error(message: string): ConfigState {
    return { kind: 'error', message, statusTexts: this.#options.policies.statusTexts };
  }
}

import type { Status } from '../base/status.js';
import { compareUtf8 } from '../base/utf8-order.js';
import type { QueryId, Resolution } from '../core/input.js';
import { statusTexts } from '../core/status-texts/index.js';
import type { StatusTexts, TargetFailure } from '../core/status-texts/status-texts.js';
import type { InternalWatcher, WatcherUpdate } from '../core/watcher.js';
import { RESOURCE_TYPES, type ShortType } from '../proto/resource-types.js';
import type { ConnectionManager } from '../resources/http-connection-manager.js';
import type { RouteConfigResource } from '../resources/route-configuration.js';
import { apiListener } from './api-listener.js';
import { ClusterDependencies } from './cluster-dependencies.js';
import type { ConfigState } from './config.js';
import type { ResourceLookup } from './graph.js';
import { HeldClusters } from './held-clusters.js';
import type { ManagerOptions } from './manager-options.js';
import type { FollowerPorts } from './ports.js';
import { configOf, type Routes, routesOf } from './routes.js';
import { TargetErrors } from './target-errors.js';
import type { TargetManager } from './target-manager.js';
import { RouteIndex } from './tears/route-index.js';
import type { TornRoute } from './tears/tear.js';

const { LDS, RDS } = RESOURCE_TYPES;

/**
 * Follows one target from its listener to its endpoints (A74): watches the resources that it needs, and publishes a
 * configuration when it is complete. It processes all updates of a step together, at the end of the step.
 */
export class DependencyManager implements TargetManager {
  readonly #options: ManagerOptions;
  readonly #ports: FollowerPorts;
  readonly #texts: StatusTexts;
  readonly #listenerWatcher: InternalWatcher;
  readonly #clusters: ClusterDependencies;
  readonly #held = new HeldClusters();
  /** Clusters that the published configuration can select. They stay until another configuration replaces it (R9.7). */
  #selected: ReadonlySet<string> = new Set();
  #listener: ConnectionManager | undefined;
  #listenerNote = '';
  #routesName = '';
  #routesWatcher: InternalWatcher | undefined;
  /** The listener names a route configuration that has not arrived. */
  #awaitsRoutes = false;
  #routes: Routes | undefined;
  #routesNote = '';
  #routeIndex: RouteIndex | undefined;
  #isDirty = false;
  #applied: ConfigState = { kind: 'none' };
  readonly #errors: TargetErrors;

  constructor(options: ManagerOptions, ports: FollowerPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#texts = statusTexts(options.policies.statusTexts);
    this.#errors = new TargetErrors(options);
    this.#clusters = new ClusterDependencies(ports, { ...options.policies, random: options.random });
    ports.setNeeds(['LDS'], [{ type: 'LDS', name: options.listener }]);
    this.#listenerWatcher = ports.watch(LDS, options.listener);
  }

  /** The resolved configuration of the target. */
  get applied(): ConfigState {
    return this.#applied;
  }

  /** A newer configuration is incomplete and therefore not published. */
  get isWithheld(): boolean {
    if (this.#awaitsRoutes) return true;
    return this.#listener !== undefined && this.#routes !== undefined && this.#clusters.isIncomplete;
  }

  /** The clusters that changed since the last call, if the map of clusters in the configuration is the same. */
  takeReplaced(): string[] {
    return this.#clusters.takeReplaced();
  }

  /** The routes, of the latest route configuration, that lead to a cluster or to endpoints. */
  routesTo(type: ShortType, name: string): TornRoute[] {
    if (type === 'LDS' || type === 'RDS') return [];
    this.#routeIndex ??= new RouteIndex(this.#routes?.virtualHost.routes ?? [], this.lookup);
    return this.#routeIndex.routesTo(type === 'EDS' ? this.#clusters.clustersUsing(name) : [name]);
  }

  /** The clusters and endpoints that have arrived. */
  get lookup(): ResourceLookup {
    return this.#clusters.lookup;
  }

  /** Ignores updates for resources that are no longer watched. */
  onUpdate(type: ShortType, name: string, update: WatcherUpdate): void {
    // Processes earlier updates first: an error would discard them before the resources they need are watched.
    if (type === 'LDS' || type === 'RDS') this.processUpdates();
    if (type === 'LDS') this.#onListener(update);
    else if (type === 'CDS') this.#onClustersChanged(this.#clusters.onCluster(name, update));
    else if (type === 'EDS') this.#onClustersChanged(this.#clusters.onEndpoints(name, update));
    else if (name === this.#routesName && this.#routesWatcher !== undefined) this.#onRoutes(name, update);
  }

  onResolved(query: QueryId, result: Resolution, now: number): void {
    this.#onClustersChanged(this.#clusters.onResolved(query, result, now));
  }

  #onClustersChanged(hasChanged: boolean): void {
    if (!hasChanged) return;
    this.#isDirty = true;
    if (this.#awaitsRoutes) this.#clusters.invalidate();
  }

  nextDeadline(): number | undefined {
    return this.#clusters.nextDeadline();
  }

  tick(now: number): void {
    this.#clusters.tick(now);
  }

  get held(): ReadonlyMap<string, number> {
    return this.#held.counts;
  }

  /** R7.17: a cluster that an RPC uses stays watched, even if no route names it. */
  hold(cluster: string): void {
    if (this.#held.hold(cluster) && !this.#routes?.clusters.has(cluster)) this.#invalidateGraph();
  }

  release(cluster: string): void {
    if (this.#held.release(cluster) && !this.#routes?.clusters.has(cluster)) this.#invalidateGraph();
  }

  /** R7.20: ends all watches, without delayed unsubscriptions. */
  close(): void {
    this.#ports.unwatch(this.#listenerWatcher);
    if (this.#routesWatcher !== undefined) this.#ports.unwatch(this.#routesWatcher);
    this.#clusters.close();
  }

  /** Processes all updates at the end of a step, including those that they cause. Returns true if there were any. */
  processUpdates(): boolean {
    if (!this.#isDirty) return false;
    while (this.#isDirty) {
      this.#isDirty = false;
      this.#publishIfComplete();
    }
    return true;
  }

  /**
   * C-core processes each notification before the next. If resources are missing, that would only start watches, so the
   * updates are processed at the end of the step instead.
   */
  processUpdatesIfComplete(): void {
    if (!this.#clusters.wasIncomplete) this.processUpdates();
  }

  #onListener(update: WatcherUpdate): void {
    if (update.kind === 'OnAmbientError') {
      this.#listenerNote = this.#noteOf('LDS', this.#options.listener, update.error);
      return;
    }
    const manager = 'error' in update ? undefined : apiListener(update.resource);
    if (manager === undefined) {
      // R7.2: all other watches stay, so that the configuration is complete again when the listener returns.
      this.#listener = undefined;
      if (!this.#options.policies.keepRoutesWithoutListener) this.#dropRoutes();
      const name = this.#options.listener;
      const error = 'error' in update ? update.error : undefined;
      const by = error === undefined ? 'listener kind' : 'resource';
      this.#fail('LDS', { by, type: 'LDS', name, message: error?.message ?? '' });
      return;
    }
    this.#listener = manager;
    this.#listenerNote = '';
    const { routes } = manager;
    if (routes?.kind === 'inline') {
      this.#unwatchRoutes();
      this.#ports.setNeeds(['RDS'], []);
      this.#useRoutes(routes.config);
      return;
    }
    const name = routes?.name ?? '';
    if (name === this.#routesName && this.#routesWatcher !== undefined) {
      this.#ports.setNeeds(['RDS'], [{ type: 'RDS', name }]);
      this.#isDirty = true;
    } else this.#watchRoutes(name);
  }

  /** The note about an ambient error, or '' at its end. */
  #noteOf(type: ShortType, name: string, error: Status | undefined): string {
    this.#isDirty = true;
    return error === undefined ? '' : this.#texts.resourceNote(type, name, error.message);
  }

  #unwatchRoutes(): void {
    if (this.#routesWatcher !== undefined) this.#ports.unwatch(this.#routesWatcher);
    this.#routesWatcher = undefined;
    this.#routesName = '';
  }

  #dropRoutes(): void {
    this.#unwatchRoutes();
    this.#routes = undefined;
  }

  /** R7.3: the previous routes stay in use until the newly named ones arrive. */
  #watchRoutes(name: string): void {
    if (this.#options.policies.dropOldRoutes && this.#routesWatcher !== undefined) {
      this.#dropRoutes();
      this.#dropClusters();
    }
    if (this.#routesWatcher !== undefined) this.#ports.unwatch(this.#routesWatcher, true);
    this.#routesName = name;
    this.#awaitsRoutes = this.#options.policies.waitForNamedRoutes;
    this.#ports.setNeeds(['RDS'], [{ type: 'RDS', name }]);
    this.#routesWatcher = this.#ports.watch(RDS, name);
  }

  #onRoutes(name: string, update: WatcherUpdate): void {
    if (update.kind === 'OnAmbientError') {
      this.#routesNote = this.#noteOf('RDS', name, update.error);
    } else if ('error' in update) {
      this.#routes = undefined;
      this.#awaitsRoutes = false;
      this.#fail('RDS', { by: 'resource', type: 'RDS', name, message: update.error.message });
    } else if (update.resource.type === 'RDS') this.#useRoutes(update.resource.value);
  }

  #useRoutes(config: RouteConfigResource): void {
    const { authority, listener } = this.#options;
    this.#routes = routesOf(this.#routesName, config, this.#options);
    this.#awaitsRoutes = false;
    if (this.#routes === undefined) {
      const [type, name] =
        this.#routesName === '' ? (['LDS', listener] as const) : (['RDS', this.#routesName] as const);
      this.#fail(type, { by: 'virtual host', type, name, authority });
      return;
    }
    this.#routesNote = '';
    this.#invalidateGraph();
  }

  #invalidateGraph(): void {
    this.#clusters.invalidate();
    this.#isDirty = true;
  }

  /** Publishes the configuration if it is complete. */
  #publishIfComplete(): void {
    if (this.#listener === undefined || this.#routes === undefined) {
      if (this.#options.policies.keepSelectedClusters) this.#dropClusters();
      return;
    }
    const { clusters: fromRoutes } = this.#routes;
    const clusters = this.#clusters.resolve(
      () => {
        this.#routeIndex = undefined;
        return this.#roots(fromRoutes);
      },
      this.#options.policies.waitForReferencedClusters ? undefined : (root) => !fromRoutes.has(root),
    );
    if (clusters === undefined || this.#awaitsRoutes) return;
    const [listener, listenerNote, routesNote] = [this.#listener, this.#listenerNote, this.#routesNote];
    const { statusTexts } = this.#options.policies;
    const config = configOf(this.#routes, { listener, clusters, listenerNote, routesNote, statusTexts });
    this.#publish({ kind: 'published', config });
    // R9.8: drops clusters that only the previous configuration could select.
    const before = this.#selected;
    if (before === this.#routes.clusters) return;
    this.#selected = this.#routes.clusters;
    for (const name of before) {
      if (this.#selected.has(name) || this.held.has(name)) continue;
      this.#invalidateGraph();
      break;
    }
  }

  /** The order of the roots decides which aggregate a shared leaf belongs to; C-core sorts them (D5). */
  #roots(fromRoutes: ReadonlySet<string>): Iterable<string> {
    const isAll = this.held.size === 0 && (this.#selected === fromRoutes || this.#selected.size === 0);
    const roots = isAll ? fromRoutes : new Set([...fromRoutes, ...this.#selected, ...this.held.keys()]);
    return this.#options.policies.aggregateLeavesPerRoot ? roots : [...roots].sort(compareUtf8);
  }

  /** Keeps only clusters that RPCs use or can select. */
  #dropClusters(): void {
    this.#clusters.keepOnly(this.#roots(new Set()));
  }

  /** R7.15: an error replaces the configuration and drops the clusters that it could select. */
  #fail(type: 'LDS' | 'RDS', failure: TargetFailure): void {
    if (this.#options.policies.keepSelectedClusters) this.#dropClusters();
    else this.#selected = new Set();
    this.#clusters.invalidate();
    // These resources stay watched, but the target does not need them now.
    this.#ports.setNeeds(type === 'LDS' && this.#listener === undefined ? ['RDS', 'CDS', 'EDS'] : ['CDS', 'EDS'], []);
    this.#publish(this.#errors.stateOf(failure, this.#applied));
  }

  #publish(state: ConfigState): void {
    this.#errors.onState(state);
    this.#applied = state;
    this.#ports.publish(state);
  }
}

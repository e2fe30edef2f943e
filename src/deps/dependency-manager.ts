import { compareUtf8 } from '../base/utf8-order.js';
import type { Told } from '../core/effect.js';
import type { QueryId, Resolution, WatcherId } from '../core/input.js';
import type { Policies } from '../core/policies.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { joinHostPort } from '../resources/common/ip-address.js';
import { sameResource } from '../resources/equal.js';
import type { ConnectionManager } from '../resources/http-connection-manager.js';
import { clusterNamesOf, endpointsName } from '../resources/references.js';
import type { RouteConfigResource } from '../resources/route-configuration.js';
import type { ConfigState, EndpointState, VirtualHost } from './config.js';
import { DnsLookups } from './dns-lookups.js';
import { type ClusterState, type Graph, isComplete, type Lookup, leafConfig, resolveClusters } from './graph.js';
import { emptyEndpointsNote } from './notes.js';
import type { FollowerPorts } from './ports.js';
import { RouteIndex } from './tears/route-index.js';
import type { TornType } from './tears/tear.js';
import { findVirtualHost } from './virtual-host.js';

const { LDS, RDS, CDS, EDS } = RESOURCE_TYPES;

export interface ManagerOptions {
  listener: string;
  /** The data-plane authority, which chooses the virtual host. */
  authority: string;
  policies: Policies;
  random: () => number;
}

interface Routes {
  /** '' where they stand in the listener. */
  name: string;
  config: RouteConfigResource;
  virtualHost: VirtualHost;
  clusters: ReadonlySet<string>;
}

interface Watched<State> {
  watcher: WatcherId;
  state: State | undefined;
}

/**
 * Follows one target from its listener to its endpoints (A74): watches what it needs, and publishes a configuration when
 * all of it is there. What happens in one step is worked on once, at its end.
 */
export class DependencyManager {
  readonly #options: ManagerOptions;
  readonly #ports: FollowerPorts;
  readonly #listenerWatcher: WatcherId;
  readonly #clusters = new Map<string, Watched<ClusterState>>();
  readonly #endpoints = new Map<string, Watched<EndpointState>>();
  readonly #hosts: DnsLookups;
  /** Clusters that RPCs hold, with how many do (A31). */
  readonly #held = new Map<string, number>();
  /** Clusters that the configuration in use can send RPCs to: they stay until another one is (R9.7). */
  #selected: ReadonlySet<string> = new Set();
  #listener: ConnectionManager | undefined;
  #listenerNote = '';
  #routesName = '';
  #routesWatcher: WatcherId | undefined;
  /** The listener names routes that have not arrived. */
  #awaitsRoutes = false;
  #routes: Routes | undefined;
  #routesNote = '';
  #graph: Graph | undefined;
  /** Clusters of which something newer is known than the graph has. */
  readonly #stale = new Set<string>();
  #routeIndex: RouteIndex | undefined;
  /** What had not arrived when the graph was last walked. */
  #missing: Graph['missing'] | undefined;
  #isDirty = false;
  #applied: ConfigState = { kind: 'none' };

  constructor(options: ManagerOptions, ports: FollowerPorts) {
    this.#options = options;
    this.#ports = ports;
    const resolve = (host: string, port: number): QueryId => ports.resolve(host, port);
    this.#hosts = new DnsLookups(resolve, options.random, options.policies.keepsAddresses);
    ports.needs(['LDS'], [{ type: 'LDS', name: options.listener }]);
    this.#listenerWatcher = ports.watch(LDS, options.listener);
  }

  /** What RPCs have to go by. */
  get applied(): ConfigState {
    return this.#applied;
  }

  /** Something newer is known than what is in use, but not all of it. */
  get isWithheld(): boolean {
    if (this.#awaitsRoutes) return true;
    return (
      this.#listener !== undefined &&
      this.#routes !== undefined &&
      this.#graph !== undefined &&
      !isComplete(this.#graph.missing)
    );
  }

  /** The routes that arrived last, in words, of those that lead to a cluster or to endpoints. */
  routesTo(type: TornType, name: string): string[] {
    if (type === 'LDS' || type === 'RDS') return [];
    this.#routeIndex ??= new RouteIndex(this.#routes?.virtualHost.routes ?? [], this.lookup);
    return this.#routeIndex.leadingTo(type === 'EDS' ? (this.#graph?.endpoints.get(name) ?? [name]) : [name]);
  }

  /** What has arrived so far. */
  readonly lookup: Lookup = {
    cluster: (name) => this.#clusters.get(name)?.state,
    endpoints: (name) => this.#endpoints.get(name)?.state,
    host: (key) => this.#hosts.get(key),
  };

  /** What still arrives for what is no longer watched is of no account. */
  told(type: TornType, name: string, told: Told): void {
    // What was said before is worked on first: an error would leave it undone, and its watches unasked for.
    if (type === 'LDS' || type === 'RDS') this.settle();
    if (type === 'LDS') this.#toldListener(told);
    else if (type === 'CDS') this.#toldCluster(name, told);
    else if (type === 'EDS') this.#toldEndpoints(name, told);
    else if (name === this.#routesName && this.#routesWatcher !== undefined) this.#toldRoutes(name, told);
  }

  resolved(query: QueryId, result: Resolution, now: number): void {
    const key = this.#hosts.resolved(query, result, now);
    if (key !== undefined) this.#arrived('DNS', key, this.#graph?.hosts.get(key)?.users ?? []);
  }

  nextDeadline(): number | undefined {
    return this.#hosts.nextDeadline();
  }

  tick(now: number): void {
    this.#hosts.tick(now);
  }

  get held(): ReadonlyMap<string, number> {
    return this.#held;
  }

  /** R7.17: an RPC holds a cluster; without routes that name it, it stays watched as long as it is held. */
  hold(cluster: string): void {
    const count = this.#held.get(cluster) ?? 0;
    this.#held.set(cluster, count + 1);
    if (count === 0 && !this.#routes?.clusters.has(cluster)) this.#walkAgain();
  }

  release(cluster: string): void {
    const count = this.#held.get(cluster) ?? 0;
    if (count > 1) this.#held.set(cluster, count - 1);
    else if (this.#held.delete(cluster) && !this.#routes?.clusters.has(cluster)) this.#walkAgain();
  }

  /** R7.20: everything is let go of, without delay. */
  close(): void {
    this.#ports.unwatch(this.#listenerWatcher);
    if (this.#routesWatcher !== undefined) this.#ports.unwatch(this.#routesWatcher);
    for (const { watcher } of this.#clusters.values()) this.#ports.unwatch(watcher);
    for (const { watcher } of this.#endpoints.values()) this.#ports.unwatch(watcher);
    this.#hosts.need(new Map());
  }

  /** The end of a step: works on what has changed, until nothing more comes of it. Whether anything was done. */
  settle(): boolean {
    if (!this.#isDirty) return false;
    while (this.#isDirty) {
      this.#isDirty = false;
      this.#report();
    }
    return true;
  }

  /**
   * C-core works on each notification before the next. While others are missing, only watches could come of it, which
   * can wait for the end of the step.
   */
  settleAtOnce(): void {
    if (this.#missing === undefined || isComplete(this.#missing)) this.settle();
  }

  #toldListener(told: Told): void {
    if (told.kind === 'OnAmbientError') {
      this.#listenerNote =
        told.error === undefined ? '' : `LDS resource ${this.#options.listener}: ${told.error.message}`;
      this.#isDirty = true;
      return;
    }
    const manager = 'error' in told ? undefined : apiListener(told.resource);
    if (manager === undefined) {
      // R7.2: nothing else is touched, so that a listener that returns finds everything in place.
      this.#listener = undefined;
      this.#fail('LDS', this.#options.listener, 'error' in told ? told.error.message : 'not an API listener');
      return;
    }
    this.#listener = manager;
    this.#listenerNote = '';
    const { routes } = manager;
    if (routes?.kind === 'inline') {
      if (this.#routesWatcher !== undefined) this.#ports.unwatch(this.#routesWatcher);
      this.#routesWatcher = undefined;
      this.#routesName = '';
      this.#ports.needs(['RDS'], []);
      this.#takeRoutes(routes.config);
      return;
    }
    const name = routes?.name ?? '';
    if (name === this.#routesName && this.#routesWatcher !== undefined) {
      this.#ports.needs(['RDS'], [{ type: 'RDS', name }]);
      this.#isDirty = true;
    } else this.#nameRoutes(name);
  }

  /** R7.3: the routes before stay until those that the listener now names are there. */
  #nameRoutes(name: string): void {
    if (this.#routesWatcher !== undefined) this.#ports.unwatch(this.#routesWatcher, true);
    this.#routesName = name;
    this.#awaitsRoutes = this.#options.policies.waitsForNamedRoutes;
    this.#ports.needs(['RDS'], [{ type: 'RDS', name }]);
    this.#routesWatcher = this.#ports.watch(RDS, name);
  }

  #toldRoutes(name: string, told: Told): void {
    if (told.kind === 'OnAmbientError') {
      this.#routesNote = told.error === undefined ? '' : `RDS resource ${name}: ${told.error.message}`;
      this.#isDirty = true;
    } else if ('error' in told) {
      this.#routes = undefined;
      this.#awaitsRoutes = false;
      this.#fail('RDS', name, told.error.message);
    } else if (told.resource.type === 'RDS') this.#takeRoutes(told.resource.value);
  }

  #takeRoutes(config: RouteConfigResource): void {
    const { authority, listener } = this.#options;
    const virtualHost = findVirtualHost(config, authority);
    this.#awaitsRoutes = false;
    if (virtualHost === undefined) {
      this.#routes = undefined;
      const [type, name] =
        this.#routesName === '' ? (['LDS', listener] as const) : (['RDS', this.#routesName] as const);
      this.#fail(type, name, `could not find VirtualHost for ${authority} in RouteConfiguration`);
      return;
    }
    this.#routes = { name: this.#routesName, config, virtualHost, clusters: new Set(clusterNamesOf(virtualHost)) };
    this.#routesNote = '';
    this.#walkAgain();
  }

  #toldCluster(name: string, told: Told): void {
    const watched = this.#clusters.get(name);
    if (watched === undefined) return;
    const before = watched.state;
    if (before === undefined) this.#missing?.CDS.delete(name);
    if (told.kind === 'OnAmbientError') {
      if (before?.kind !== 'known') return;
      const note = told.error === undefined ? '' : `CDS resource ${name}: ${told.error.message}`;
      watched.state = { ...before, note };
    } else if ('error' in told) {
      watched.state = { kind: 'error', message: `CDS resource ${name}: ${told.error.message}` };
    } else if (told.resource.type === 'CDS') {
      watched.state = { kind: 'known', cluster: told.resource.value, note: '' };
    }
    this.#isDirty = true;
    const now = watched.state;
    const leadsOn = before?.kind === 'known' && now?.kind === 'known' ? now.cluster.discovery : undefined;
    if (leadsOn !== undefined && before?.kind === 'known' && sameResource(leadsOn, before.cluster.discovery)) {
      this.#refresh([name]);
    } else this.#walkAgain();
  }

  #toldEndpoints(name: string, told: Told): void {
    const watched = this.#endpoints.get(name);
    if (watched === undefined) return;
    if (told.kind === 'OnAmbientError') {
      const note = told.error === undefined ? '' : `EDS resource ${name}: ${told.error.message}`;
      watched.state = { endpoints: watched.state?.endpoints, note };
    } else if ('error' in told) {
      watched.state = { endpoints: undefined, note: `EDS resource ${name}: ${told.error.message}` };
    } else if (told.resource.type === 'EDS') {
      const { value } = told.resource;
      watched.state = { endpoints: value, note: emptyEndpointsNote(name, value) };
    }
    this.#arrived('EDS', name, this.#graph?.endpoints.get(name) ?? []);
  }

  /** Endpoints are there, or others than before: what leads to them stays as it is. */
  #arrived(type: 'EDS' | 'DNS', name: string, users: readonly string[]): void {
    const missing = this.#graph?.missing;
    if (missing !== undefined && !isComplete(missing)) {
      missing[type].delete(name);
      // With the last of what was missing, leaves of aggregates can be counted.
      if (isComplete(missing)) this.#walkAgain();
      return;
    }
    this.#isDirty = true;
    this.#refresh(users);
  }

  /** Newer values are put in place at the end of the step, if the way to them is still the same. */
  #refresh(names: readonly string[]): void {
    const graph = this.#graph;
    if (graph === undefined || !isComplete(graph.missing) || this.#awaitsRoutes) this.#graph = undefined;
    else for (const name of names) this.#stale.add(name);
  }

  #replaceStale(graph: Graph): void {
    for (const name of this.#stale) {
      const state = this.#clusters.get(name)?.state;
      if (state?.kind !== 'known') continue;
      const known = graph.clusters.get(name);
      const endpoints = this.#endpointsOf(name, state);
      if (endpoints !== undefined) graph.clusters.set(name, leafConfig(state.cluster, state.note, endpoints));
      else if (known?.kind === 'aggregate') graph.clusters.set(name, { ...known, cluster: state.cluster });
    }
    this.#stale.clear();
  }

  #endpointsOf(name: string, { cluster }: ClusterState & { kind: 'known' }): EndpointState | undefined {
    const { discovery } = cluster;
    if (discovery?.kind === 'logical dns') return this.#hosts.get(joinHostPort(discovery.host, discovery.port));
    const resource = endpointsName(name, discovery);
    return resource === undefined ? undefined : this.#endpoints.get(resource)?.state;
  }

  #walkAgain(): void {
    this.#graph = undefined;
    this.#isDirty = true;
  }

  /** Watches all that is needed and nothing else, and publishes a configuration if it is whole. */
  #report(): void {
    if (this.#listener === undefined || this.#routes === undefined) return;
    if (this.#graph === undefined) this.#graph = this.#walk(this.#routes.clusters);
    else this.#replaceStale(this.#graph);
    if (!isComplete(this.#graph.missing) || this.#awaitsRoutes) return;
    this.#publish({
      kind: 'published',
      config: {
        listener: this.#listener,
        routeConfigName: this.#routes.name,
        routeConfig: this.#routes.config,
        virtualHost: this.#routes.virtualHost,
        clusters: this.#graph.clusters,
        listenerNote: this.#listenerNote,
        routesNote: this.#routesNote,
      },
    });
    // R9.8: what only the configuration before could select goes when this one is in use.
    const before = this.#selected;
    if (before === this.#routes.clusters) return;
    this.#selected = this.#routes.clusters;
    for (const name of before) {
      if (this.#selected.has(name) || this.#held.has(name)) continue;
      this.#walkAgain();
      break;
    }
  }

  #walk(fromRoutes: ReadonlySet<string>): Graph {
    const roots = this.#roots(fromRoutes);
    this.#stale.clear();
    this.#routeIndex = undefined;
    const graph = resolveClusters(roots, this.lookup, this.#options.policies.leavesPerRoot);
    this.#missing = graph.missing;
    this.#ports.needs(['CDS', 'EDS'], needsOf(graph));
    this.#need(this.#clusters, graph.needed, 'CDS');
    this.#need(this.#endpoints, new Set(graph.endpoints.keys()), 'EDS');
    this.#hosts.need(graph.hosts);
    return graph;
  }

  /** C-core's order decides which of them a cluster is a leaf of (D5). */
  #roots(fromRoutes: ReadonlySet<string>): Iterable<string> {
    const isAll = this.#held.size === 0 && (this.#selected === fromRoutes || this.#selected.size === 0);
    const roots = isAll ? fromRoutes : new Set([...fromRoutes, ...this.#selected, ...this.#held.keys()]);
    return this.#options.policies.leavesPerRoot ? roots : [...roots].sort(compareUtf8);
  }

  #need<State>(watched: Map<string, Watched<State>>, needed: ReadonlySet<string>, type: 'CDS' | 'EDS'): void {
    for (const name of needed) {
      if (watched.has(name)) continue;
      // In place before it is watched: the answer may come at once.
      const one: Watched<State> = { watcher: 0, state: undefined };
      watched.set(name, one);
      one.watcher = this.#ports.watch(type === 'CDS' ? CDS : EDS, name);
    }
    for (const [name, { watcher }] of watched) {
      if (needed.has(name)) continue;
      watched.delete(name);
      this.#ports.unwatch(watcher);
    }
  }

  /** R7.15: an error replaces the configuration, and lets go of what it could select. */
  #fail(type: 'LDS' | 'RDS', name: string, text: string): void {
    this.#selected = new Set();
    this.#graph = undefined;
    // Nothing leads there any more, although it stays watched.
    this.#ports.needs(type === 'LDS' && this.#listener === undefined ? ['RDS', 'CDS', 'EDS'] : ['CDS', 'EDS'], []);
    this.#publish({ kind: 'error', message: `${type} resource ${name}: ${text}` });
  }

  #publish(state: ConfigState): void {
    this.#applied = state;
    this.#ports.publish(state);
  }
}

function* needsOf({ needed, endpoints }: Graph): Iterable<{ type: 'CDS' | 'EDS'; name: string }> {
  for (const name of needed) yield { type: 'CDS', name };
  for (const name of endpoints.keys()) yield { type: 'EDS', name };
}

function apiListener(resource: Extract<Told, { resource: unknown }>['resource']): ConnectionManager | undefined {
  return resource.type === 'LDS' && resource.value.kind === 'client' ? resource.value.connectionManager : undefined;
}

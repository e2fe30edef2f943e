import type { Policies } from '../bootstrap/policies.js';
import type { QueryId, Resolution } from '../core/input.js';
import { statusTexts } from '../core/status-texts/index.js';
import type { StatusTexts } from '../core/status-texts/status-texts.js';
import type { InternalWatcher, WatcherUpdate } from '../core/watcher.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { joinHostPort } from '../resources/common/ip-address.js';
import { sameResource } from '../resources/equal.js';
import { endpointsName } from '../resources/references.js';
import type { ClusterConfig, EndpointState } from './config.js';
import { DnsLookups } from './dns-lookups.js';
import {
  type ClusterState,
  type Graph,
  type GraphPolicies,
  isComplete,
  leafConfig,
  type ResourceLookup,
  resolveClusters,
} from './graph.js';
import { emptyEndpointsNote } from './notes.js';
import type { FollowerPorts, NeededResource } from './ports.js';

const { CDS, EDS } = RESOURCE_TYPES;

interface WatchedResource<State> {
  watcher: InternalWatcher;
  state: State | undefined;
}

/**
 * Watches the clusters that a target needs, with their endpoints and host names, and resolves them to leaves. Methods
 * that take an update return true if the configuration has to be resolved again.
 */
export class ClusterDependencies {
  readonly #ports: FollowerPorts;
  readonly #texts: StatusTexts;
  readonly #policies: ClusterPolicies;
  readonly #clusters = new Map<string, WatchedResource<ClusterState>>();
  readonly #endpoints = new Map<string, WatchedResource<EndpointState>>();
  readonly #hosts: DnsLookups;
  #graph: Graph | undefined;
  /** Clusters whose value in the graph is outdated. */
  readonly #stale = new Set<string>();
  /** Clusters whose value in the graph was replaced since `takeReplaced`. */
  readonly #replaced = new Set<string>();
  /** Resources that were missing when the graph was last built, and still are. */
  #missing: Graph['missing'] | undefined;

  constructor(ports: FollowerPorts, options: ClusterPolicies & { random: () => number }) {
    this.#ports = ports;
    this.#texts = statusTexts(options.statusTexts);
    this.#policies = options;
    const resolve = (host: string, port: number): QueryId => ports.resolve(host, port);
    this.#hosts = new DnsLookups(resolve, options.random, options.keepAddresses, this.#texts);
  }

  /** The resources and DNS results that have arrived. */
  readonly lookup: ResourceLookup = {
    cluster: (name) => this.#clusters.get(name)?.state,
    endpoints: (name) => this.#usable(this.#endpoints.get(name)?.state),
    host: (key) => this.#usable(this.#hosts.get(key)),
  };

  /** The current graph lacks resources. */
  get isIncomplete(): boolean {
    return this.#graph !== undefined && !isComplete(this.#graph.missing);
  }

  /** The graph that was built last lacked resources that have not arrived since. */
  get wasIncomplete(): boolean {
    return this.#missing !== undefined && !isComplete(this.#missing);
  }

  /** The clusters that use an endpoint resource. */
  clustersUsing(endpoints: string): readonly string[] {
    return this.#graph?.endpoints.get(endpoints) ?? [endpoints];
  }

  /** Discards the graph, so that `resolve` builds it again. */
  invalidate(): void {
    this.#graph = undefined;
  }

  /** Ends the watches of everything that these clusters do not need. */
  keepOnly(roots: Iterable<string>): void {
    this.#build(roots, undefined);
    this.#graph = undefined;
  }

  /** The clusters by name; undefined if resources are missing. Calls `roots` only to build the graph again. */
  resolve(
    roots: () => Iterable<string>,
    isOptional?: (root: string) => boolean,
  ): Map<string, ClusterConfig> | undefined {
    if (this.#graph === undefined) this.#graph = this.#build(roots(), isOptional);
    else this.#replaceStale(this.#graph);
    return isComplete(this.#graph.missing) ? this.#graph.clusters : undefined;
  }

  /** The clusters that changed since the last call in a map that `resolve` has returned before. */
  takeReplaced(): string[] {
    const names = [...this.#replaced];
    this.#replaced.clear();
    return names;
  }

  onCluster(name: string, update: WatcherUpdate): boolean {
    const watched = this.#clusters.get(name);
    if (watched === undefined) return false;
    const before = watched.state;
    // An ambient error is not the resource (R4.3).
    if (before === undefined && update.kind !== 'OnAmbientError') this.#missing?.CDS.delete(name);
    if (update.kind === 'OnAmbientError') {
      if (before?.kind === 'error' && update.error !== undefined && this.#policies.replaceClusterErrors) {
        watched.state = { kind: 'error', message: this.#texts.resourceNote('CDS', name, update.error.message) };
        this.#graph = undefined;
        return true;
      }
      if (before?.kind !== 'known') return false;
      const note = update.error === undefined ? '' : this.#texts.resourceNote('CDS', name, update.error.message);
      watched.state = { ...before, note };
    } else if ('error' in update) {
      watched.state = { kind: 'error', message: this.#texts.resourceNote('CDS', name, update.error.message) };
    } else if (update.resource.type === 'CDS') {
      watched.state = { kind: 'known', cluster: update.resource.value, note: '' };
    }
    if (hasSameDiscovery(before, watched.state)) this.#refresh([name]);
    else this.#graph = undefined;
    return true;
  }

  onEndpoints(name: string, update: WatcherUpdate): boolean {
    const watched = this.#endpoints.get(name);
    if (watched === undefined) return false;
    if (update.kind === 'OnAmbientError') {
      const note = update.error === undefined ? '' : this.#texts.resourceNote('EDS', name, update.error.message);
      watched.state = { endpoints: watched.state?.endpoints, note };
    } else if ('error' in update) {
      watched.state = { endpoints: undefined, note: this.#texts.resourceNote('EDS', name, update.error.message) };
    } else if (update.resource.type === 'EDS') {
      const { value } = update.resource;
      watched.state = { endpoints: value, note: emptyEndpointsNote(name, value) };
    }
    if (this.#usable(watched.state) === undefined) this.#graph = undefined;
    return this.#onLeaf('EDS', name, this.#graph?.endpoints.get(name) ?? []);
  }

  onResolved(query: QueryId, result: Resolution, now: number): boolean {
    const key = this.#hosts.onResolved(query, result, now);
    return key !== undefined && this.#onLeaf('DNS', key, this.#graph?.hosts.get(key)?.users ?? []);
  }

  nextDeadline(): number | undefined {
    return this.#hosts.nextDeadline();
  }

  tick(now: number): void {
    this.#hosts.tick(now);
  }

  close(): void {
    for (const { watcher } of this.#clusters.values()) this.#ports.unwatch(watcher);
    for (const { watcher } of this.#endpoints.values()) this.#ports.unwatch(watcher);
    this.#hosts.setHosts(new Map());
  }

  #usable(state: EndpointState | undefined): EndpointState | undefined {
    return this.#policies.waitForEndpoints && state !== undefined && isWithoutEndpoints(state) ? undefined : state;
  }

  /** Endpoints arrived or changed. The clusters that lead to them stay the same. */
  #onLeaf(type: 'EDS' | 'DNS', name: string, users: readonly string[]): boolean {
    const missing = this.#graph?.missing;
    if (missing === undefined || isComplete(missing)) {
      this.#refresh(users);
      return true;
    }
    missing[type].delete(name);
    if (!isComplete(missing)) return false;
    // The last missing leaf has arrived. The graph is built again, since aggregates collect the leaves that are known.
    this.#graph = undefined;
    return true;
  }

  /** Marks clusters whose values are replaced at the end of the step, without building the graph again. */
  #refresh(names: readonly string[]): void {
    if (this.#graph === undefined || !isComplete(this.#graph.missing)) this.#graph = undefined;
    else for (const name of names) this.#stale.add(name);
  }

  #replaceStale(graph: Graph): void {
    for (const name of this.#stale) {
      const state = this.#clusters.get(name)?.state;
      if (state?.kind !== 'known') continue;
      this.#replaced.add(name);
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

  /** Builds the graph, and watches exactly the resources that it needs. */
  #build(roots: Iterable<string>, isOptional: ((root: string) => boolean) | undefined): Graph {
    this.#stale.clear();
    this.#replaced.clear();
    const graph = resolveClusters(roots, this.lookup, this.#policies, isOptional);
    this.#missing = graph.missing;
    this.#ports.setNeeds(['CDS', 'EDS'], needsOf(graph));
    this.#updateWatches(this.#clusters, graph.needed, CDS);
    this.#updateWatches(this.#endpoints, graph.endpoints, EDS);
    this.#hosts.setHosts(graph.hosts);
    return graph;
  }

  #updateWatches<State>(
    watched: Map<string, WatchedResource<State>>,
    needed: ReadonlyMap<string, unknown>,
    typeUrl: string,
  ): void {
    for (const name of needed.keys()) {
      if (!watched.has(name)) watched.set(name, { watcher: this.#ports.watch(typeUrl, name), state: undefined });
    }
    // Every needed resource is watched now.
    if (watched.size === needed.size) return;
    for (const [name, { watcher }] of watched) {
      if (needed.has(name)) continue;
      watched.delete(name);
      this.#ports.unwatch(watcher);
    }
  }
}

type ClusterPolicies = GraphPolicies & Pick<Policies, 'keepAddresses' | 'replaceClusterErrors' | 'waitForEndpoints'>;

/** An error prevents the use of any endpoints: that of the resource, or of the DNS query. */
function isWithoutEndpoints({ endpoints, note }: EndpointState): boolean {
  const isEmpty = (endpoints?.priorities.flat() ?? []).every((locality) => locality.endpoints.length === 0);
  return endpoints === undefined || (isEmpty && note.startsWith('DNS'));
}

function hasSameDiscovery(before: ClusterState | undefined, now: ClusterState | undefined): boolean {
  if (before?.kind !== 'known' || now?.kind !== 'known' || now.cluster.discovery === undefined) return false;
  return sameResource(now.cluster.discovery, before.cluster.discovery);
}

function* needsOf({ needed, endpoints }: Graph): Iterable<NeededResource> {
  for (const [name, cluster] of needed) yield { type: 'CDS', name, cluster };
  for (const [name, [cluster]] of endpoints) yield { type: 'EDS', name, cluster };
}

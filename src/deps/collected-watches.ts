import { statusTexts } from '../core/status-texts/index.js';
import type { InternalWatcher, WatcherUpdate } from '../core/watcher.js';
import { RESOURCE_TYPES, type ShortType } from '../proto/resource-types.js';
import type { ClusterResource } from '../resources/cluster.js';
import { joinHostPort } from '../resources/common/ip-address.js';
import { endpointsName } from '../resources/references.js';
import type { EndpointState } from './config.js';
import { DnsLookups } from './dns-lookups.js';
import type { ClusterState, ResourceLookup } from './graph.js';
import type { ManagerOptions } from './manager-options.js';
import type { FollowerPorts } from './ports.js';

export type ResourceUpdate = Extract<WatcherUpdate, { kind: 'OnResourceChanged' }>;

interface Watch {
  watcher: InternalWatcher;
  update: ResourceUpdate | undefined;
}

interface Host {
  host: string;
  port: number;
}

const TYPES = ['LDS', 'RDS', 'CDS', 'EDS'] as const;

/** The watches of a target. A trace collects those that a configuration uses; its end removes the others. */
export class CollectedWatches {
  readonly hosts: DnsLookups;
  readonly #ports: FollowerPorts;
  readonly #watches: Record<ShortType, Map<string, Watch>> = {
    LDS: new Map(),
    RDS: new Map(),
    CDS: new Map(),
    EDS: new Map(),
  };
  readonly #used: Record<ShortType, Set<string>> = { LDS: new Set(), RDS: new Set(), CDS: new Set(), EDS: new Set() };
  #hosts = new Map<string, Host>();
  #usedHosts = new Map<string, Host>();

  constructor(ports: FollowerPorts, { policies, random }: ManagerOptions) {
    this.#ports = ports;
    const texts = statusTexts(policies.statusTexts);
    this.hosts = new DnsLookups((host, port) => ports.resolve(host, port), random, policies.keepAddresses, texts);
  }

  readonly lookup: ResourceLookup = {
    cluster: (name) => clusterState(this.#watches.CDS.get(name)?.update),
    endpoints: (name) => endpointState(this.#watches.EDS.get(name)?.update),
    host: (key) => this.hosts.get(key),
  };

  /** A watched resource or host name has not arrived, whether it is still needed or not. */
  get isWaiting(): boolean {
    for (const type of TYPES)
      for (const { update } of this.#watches[type].values()) if (update === undefined) return true;
    for (const key of this.#hosts.keys()) if (this.hosts.get(key) === undefined) return true;
    return false;
  }

  add(type: ShortType, name: string): void {
    const watches = this.#watches[type];
    if (watches.has(name)) return;
    // The watch may be updated before it returns.
    const watch: Watch = { watcher: { kind: 'internal' }, update: undefined };
    watches.set(name, watch);
    watch.watcher = this.#ports.watch(RESOURCE_TYPES[type], name);
  }

  addChildren(name: string, { discovery }: ClusterResource): void {
    if (discovery?.kind === 'aggregate') for (const child of discovery.clusters) this.add('CDS', child);
    else if (discovery?.kind === 'logical dns') {
      const { host, port } = discovery;
      this.#hosts.set(joinHostPort(host, port), { host, port });
      this.hosts.setHosts(this.#hosts);
    } else this.add('EDS', endpointsName(name, discovery) ?? name);
  }

  /** Returns false if the resource is not watched. */
  set(type: ShortType, name: string, update: ResourceUpdate): boolean {
    const watch = this.#watches[type].get(name);
    if (watch === undefined) return false;
    watch.update = update;
    return true;
  }

  /** The last update of a resource, which the configuration uses. */
  use(type: ShortType, name: string): ResourceUpdate | undefined {
    const watch = this.#watches[type].get(name);
    if (watch !== undefined) this.#used[type].add(name);
    return watch?.update;
  }

  useHost(host: string, port: number): EndpointState | undefined {
    const key = joinHostPort(host, port);
    this.#usedHosts.set(key, { host, port });
    return this.hosts.get(key);
  }

  /** The name of the endpoints of a cluster. */
  endpointsOf(cluster: string): string | undefined {
    const state = this.lookup.cluster(cluster);
    return state?.kind === 'known' ? endpointsName(cluster, state.cluster.discovery) : undefined;
  }

  startTrace(): void {
    for (const type of TYPES) this.#used[type].clear();
    this.#usedHosts = new Map();
  }

  endTrace(): void {
    this.#ports.setNeeds(
      TYPES,
      TYPES.flatMap((type) => [...this.#used[type]].map((name) => ({ type, name }))),
    );
    for (const type of TYPES) {
      for (const [name, { watcher }] of this.#watches[type]) {
        if (this.#used[type].has(name)) continue;
        this.#watches[type].delete(name);
        this.#ports.unwatch(watcher);
      }
    }
    this.#hosts = this.#usedHosts;
    this.hosts.setHosts(this.#hosts);
  }

  close(): void {
    for (const type of TYPES) {
      for (const { watcher } of this.#watches[type].values()) this.#ports.unwatch(watcher);
      this.#watches[type].clear();
    }
    this.hosts.setHosts(new Map());
  }
}

function clusterState(update: ResourceUpdate | undefined): ClusterState | undefined {
  if (update === undefined) return undefined;
  if ('error' in update) return { kind: 'error', message: update.error.message };
  const { resource } = update;
  return resource.type === 'CDS' ? { kind: 'known', cluster: resource.value, note: '' } : undefined;
}

function endpointState(update: ResourceUpdate | undefined): EndpointState | undefined {
  if (update === undefined) return undefined;
  if ('error' in update) return { endpoints: undefined, note: update.error.message };
  return update.resource.type === 'EDS' ? { endpoints: update.resource.value, note: '' } : undefined;
}

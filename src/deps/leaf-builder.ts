import type { StatusTexts } from '../core/status-texts/status-texts.js';
import type { ClusterResource } from '../resources/cluster.js';
import { endpointsName } from '../resources/references.js';
import type { CollectedWatches } from './collected-watches.js';
import type { ClusterConfig, EndpointState } from './config.js';
import { leafConfig } from './graph.js';

const MAX_ANCESTORS = 16;

/** Builds the clusters of a complete configuration; an aggregate cluster has the leaves of its children, also failing ones. */
export class LeafBuilder {
  readonly clusters = new Map<string, ClusterConfig>();
  readonly #watches: CollectedWatches;
  readonly #texts: StatusTexts;
  readonly #before: ReadonlyMap<string, ClusterConfig>;
  /** The aggregate clusters on the path to the current cluster. */
  readonly #ancestors = new Set<string>();

  /** `before`: the clusters of the configuration that this one replaces. */
  constructor(watches: CollectedWatches, texts: StatusTexts, before: ReadonlyMap<string, ClusterConfig>) {
    this.#watches = watches;
    this.#texts = texts;
    this.#before = before;
  }

  add(name: string): void {
    if (this.clusters.has(name)) return;
    const path = [...this.#ancestors];
    if (this.#ancestors.has(name)) this.#fail(name, this.#texts.aggregateCycle(path));
    else if (path.length > MAX_ANCESTORS) this.#fail(name, this.#texts.aggregateTooDeep(path));
    else this.#addNew(name);
  }

  #addNew(name: string): void {
    this.#watches.use('CDS', name);
    const state = this.#watches.lookup.cluster(name);
    if (state === undefined) return;
    if (state.kind === 'error') {
      this.clusters.set(name, state);
      return;
    }
    const { cluster } = state;
    const config =
      cluster.discovery?.kind === 'aggregate'
        ? this.#aggregate(name, cluster, cluster.discovery.clusters)
        : this.#leaf(name, cluster);
    // A cycle has set an error for this cluster.
    if (!this.clusters.has(name)) this.clusters.set(name, config);
  }

  #aggregate(name: string, cluster: ClusterResource, children: readonly string[]): ClusterConfig {
    const leaves = new Set<string>();
    this.#ancestors.add(name);
    for (const child of children) {
      this.add(child);
      const config = this.clusters.get(child);
      if (config?.kind === 'aggregate') for (const leaf of config.leaves) leaves.add(leaf);
      else leaves.add(child);
    }
    this.#ancestors.delete(name);
    return { kind: 'aggregate', cluster, leaves: [...leaves], note: '' };
  }

  #leaf(name: string, cluster: ClusterResource): ClusterConfig {
    const endpoints = this.#endpointsOf(name, cluster) ?? { endpoints: undefined, note: '' };
    const config = leafConfig(cluster, '', endpoints);
    const before = this.#before.get(name);
    if (hasEndpoints(endpoints) || before?.kind !== 'endpoints') return config;
    const inUse = hasEndpoints(before.endpoints) ? before.endpoints : before.inUse;
    return { ...config, ...(inUse !== undefined && { inUse }) };
  }

  #endpointsOf(name: string, { discovery }: ClusterResource): EndpointState | undefined {
    if (discovery?.kind === 'logical dns') return this.#watches.useHost(discovery.host, discovery.port);
    const resource = endpointsName(name, discovery) ?? name;
    this.#watches.use('EDS', resource);
    return this.#watches.lookup.endpoints(resource);
  }

  #fail(name: string, message: string): void {
    this.clusters.set(name, { kind: 'error', message });
  }
}

function hasEndpoints({ endpoints }: EndpointState): boolean {
  return endpoints?.priorities.some((localities) => localities.some(({ endpoints: list }) => list.length > 0)) ?? false;
}

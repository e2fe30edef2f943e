import type { Policies } from '../bootstrap/policies.js';
import { statusTexts } from '../core/status-texts/index.js';
import type { StatusTexts } from '../core/status-texts/status-texts.js';
import type { ClusterResource } from '../resources/cluster.js';
import { joinHostPort } from '../resources/common/ip-address.js';
import { endpointsName } from '../resources/references.js';
import type { ClusterConfig, EndpointState } from './config.js';
import { leafClusters } from './leaf-clusters.js';

/** The last update of a cluster's watcher. */
export type ClusterState =
  | { kind: 'error'; message: string }
  | { kind: 'known'; cluster: ClusterResource; note: string };

/** Resources and DNS results that have arrived; undefined for those that have not. */
export interface ResourceLookup {
  cluster(name: string): ClusterState | undefined;
  endpoints(name: string): EndpointState | undefined;
  host(key: string): EndpointState | undefined;
}

/** The clusters, endpoints and host names that a set of root clusters depends on. */
export interface Graph {
  clusters: Map<string, ClusterConfig>;
  /** All needed clusters, each with the aggregate cluster that names it; undefined if a route names it. */
  needed: Map<string, string | undefined>;
  /** Endpoint resources and host names, with the clusters that use them. */
  endpoints: Map<string, string[]>;
  hosts: Map<string, { host: string; port: number; users: string[] }>;
  /** Resources and host names that have not arrived. An incomplete graph is not published. */
  missing: Record<'CDS' | 'EDS' | 'DNS', Set<string>>;
}

/** The maximum depth of the graph, including the leaves. */
const MAX_DEPTH = 16;

export function isComplete({ CDS, EDS, DNS }: Graph['missing']): boolean {
  return CDS.size === 0 && EDS.size === 0 && DNS.size === 0;
}

export type GraphPolicies = Pick<
  Policies,
  'aggregateLeavesPerRoot' | 'failingLeaves' | 'tolerateFailedChildren' | 'statusTexts'
>;

/** Builds the graph. Visits all of it even if resources are missing, so that one request subscribes to all (A74). */
export function resolveClusters(
  roots: Iterable<string>,
  lookup: ResourceLookup,
  policies: GraphPolicies,
  isOptional: (root: string) => boolean = () => false,
): Graph {
  const builder = new GraphBuilder(lookup, policies);
  for (const root of roots) {
    if (policies.aggregateLeavesPerRoot) builder.visited.clear();
    if (isOptional(root)) builder.visitOptional(root);
    else builder.visit(root, 0, undefined);
  }
  return builder.graph;
}

/** The configuration of a leaf cluster. */
export function leafConfig(cluster: ClusterResource, note: string, endpoints: EndpointState): ClusterConfig {
  return { kind: 'endpoints', cluster, note, endpoints };
}

/** The leaves and errors below an aggregate cluster. */
interface AggregateChildren {
  aggregate: string;
  leaves: string[];
  notes: string[];
  /** The error of a child that is the error of the aggregate cluster. */
  failure: string | undefined;
}

class GraphBuilder {
  readonly graph: Graph = {
    clusters: new Map(),
    needed: new Map(),
    endpoints: new Map(),
    hosts: new Map(),
    missing: { CDS: new Set(), EDS: new Set(), DNS: new Set() },
  };
  /** A cluster belongs to the parent that is visited first. This also ends cycles. */
  readonly visited = new Set<string>();
  readonly #lookup: ResourceLookup;
  readonly #failingLeaves: boolean;
  readonly #texts: StatusTexts;
  readonly #toleratesFailures: boolean;

  constructor(lookup: ResourceLookup, policies: GraphPolicies) {
    this.#lookup = lookup;
    this.#texts = statusTexts(policies.statusTexts);
    this.#failingLeaves = policies.failingLeaves;
    this.#toleratesFailures = policies.tolerateFailedChildren;
  }

  /** Nothing waits for this root or for anything below it. */
  visitOptional(root: string): void {
    const missingBefore = this.#countMissing();
    this.visit(root, 0, undefined);
    this.#forgetMissing(missingBefore);
  }

  /** Returns true if everything below the cluster has arrived. */
  visit(name: string, depth: number, parent: AggregateChildren | undefined): boolean {
    if (depth === MAX_DEPTH) {
      if (parent !== undefined) parent.failure = this.#texts.aggregateTooDeep([]);
      return true;
    }
    if (this.visited.has(name)) return true;
    this.visited.add(name);
    if (parent === undefined || !this.graph.needed.has(name)) this.graph.needed.set(name, parent?.aggregate);
    const state = this.#lookup.cluster(name);
    if (state === undefined) return this.#addMissing('CDS', name);
    if (state.kind === 'error') {
      this.#set(name, depth, state);
      if (parent !== undefined && !this.#toleratesFailures) parent.failure = state.message;
      parent?.notes.push(state.message);
      return true;
    }
    const { discovery } = state.cluster;
    if (discovery?.kind === 'aggregate') {
      if (this.#failingLeaves) return this.#visitChildren(name, depth, state.cluster, discovery.clusters);
      return this.#visitAggregate(name, depth, state.cluster, discovery.clusters, parent);
    }
    const endpoints = this.#endpointsOf(name, state.cluster);
    if (endpoints === undefined) return false;
    this.#set(name, depth, leafConfig(state.cluster, state.note, endpoints));
    parent?.leaves.push(name);
    return true;
  }

  #endpointsOf(name: string, { discovery }: ClusterResource): EndpointState | undefined {
    if (discovery?.kind === 'logical dns') {
      const key = joinHostPort(discovery.host, discovery.port);
      const known = this.graph.hosts.get(key) ?? { host: discovery.host, port: discovery.port, users: [] };
      known.users.push(name);
      this.graph.hosts.set(key, known);
      const state = this.#lookup.host(key);
      if (state === undefined) this.#addMissing('DNS', key);
      return state;
    }
    const resource = endpointsName(name, discovery) ?? name;
    const users = this.graph.endpoints.get(resource);
    if (users === undefined) this.graph.endpoints.set(resource, [name]);
    else users.push(name);
    const state = this.#lookup.endpoints(resource);
    if (state === undefined) this.#addMissing('EDS', resource);
    return state;
  }

  #visitAggregate(
    name: string,
    depth: number,
    cluster: ClusterResource,
    children: readonly string[],
    parent: AggregateChildren | undefined,
  ): boolean {
    const collected: AggregateChildren = { aggregate: name, leaves: [], notes: [], failure: undefined };
    const missingBefore = this.#countMissing();
    let isComplete = true;
    for (const child of children) {
      if (!this.visit(child, depth + 1, collected)) isComplete = false;
      if (collected.failure !== undefined) break;
    }
    if (collected.failure !== undefined) {
      // Every cluster on this path has failed.
      this.#set(name, depth, { kind: 'error', message: collected.failure });
      if (parent !== undefined) parent.failure = collected.failure;
      if (!this.#toleratesFailures) this.#forgetMissing(missingBefore);
      return true;
    }
    parent?.leaves.push(...collected.leaves);
    parent?.notes.push(...collected.notes);
    if (isComplete && collected.leaves.length === 0) {
      this.#set(name, depth, { kind: 'error', message: this.#texts.aggregateWithoutLeaves(name) });
      return true;
    }
    this.#set(name, depth, { kind: 'aggregate', cluster, leaves: collected.leaves, note: collected.notes.join('; ') });
    return isComplete;
  }

  /** An aggregate cluster whose leaves may have errors, and may occur several times. */
  #visitChildren(name: string, depth: number, cluster: ClusterResource, children: readonly string[]): boolean {
    const collected: AggregateChildren = { aggregate: name, leaves: [], notes: [], failure: undefined };
    let isComplete = true;
    // The depth of leaves is limited, but not that of watched clusters.
    for (const child of children) if (!this.visit(child, 1, collected)) isComplete = false;
    const leaves = leafClusters(name, this.#lookup);
    if (leaves === undefined) this.#set(name, depth, { kind: 'error', message: this.#texts.aggregateTooDeep });
    else this.#set(name, depth, { kind: 'aggregate', cluster, leaves, note: '' });
    return isComplete;
  }

  /** The configuration of a root replaces the one from a visit as a child. */
  #set(name: string, depth: number, config: ClusterConfig): void {
    if (depth === 0 || !this.graph.clusters.has(name)) this.graph.clusters.set(name, config);
  }

  #countMissing(): number[] {
    return Object.values(this.graph.missing).map(({ size }) => size);
  }

  /** A failed cluster does not wait for its other children. */
  #forgetMissing(before: readonly number[]): void {
    for (const [at, names] of Object.values(this.graph.missing).entries()) {
      for (const name of [...names].slice(before[at])) names.delete(name);
    }
  }

  #addMissing(type: 'CDS' | 'EDS' | 'DNS', name: string): false {
    this.graph.missing[type].add(name);
    return false;
  }
}

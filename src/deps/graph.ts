import type { ClusterResource } from '../resources/cluster.js';
import { joinHostPort } from '../resources/common/ip-address.js';
import { endpointsName } from '../resources/references.js';
import type { ClusterConfig, EndpointState } from './config.js';

/** A cluster as its watcher knows it. */
export type ClusterState =
  | { kind: 'error'; message: string }
  | { kind: 'known'; cluster: ClusterResource; note: string };

/** What has arrived so far; undefined for what has not. */
export interface ResourceLookup {
  cluster(name: string): ClusterState | undefined;
  endpoints(name: string): EndpointState | undefined;
  host(key: string): EndpointState | undefined;
}

/** Everything that some clusters lead to. */
export interface Graph {
  clusters: Map<string, ClusterConfig>;
  /** Clusters that are needed, known or not, each with the aggregate that names it; undefined for one that routes name. */
  needed: Map<string, string | undefined>;
  /** Endpoint resources and host names, with the clusters that use them. */
  endpoints: Map<string, string[]>;
  hosts: Map<string, { host: string; port: number; users: string[] }>;
  /** What has not arrived: an incomplete graph is not published. */
  missing: Record<'CDS' | 'EDS' | 'DNS', Set<string>>;
}

/** Levels of aggregate clusters that are followed, the leaves among them. */
const MAX_DEPTH = 16;

export function isComplete({ CDS, EDS, DNS }: Graph['missing']): boolean {
  return CDS.size === 0 && EDS.size === 0 && DNS.size === 0;
}

/** Visits the whole graph even if it is incomplete, so that one request subscribes to everything needed (A74). */
export function resolveClusters(roots: Iterable<string>, lookup: ResourceLookup, leavesPerRoot: boolean): Graph {
  const walk = new GraphWalk(lookup);
  for (const root of roots) {
    if (leavesPerRoot) walk.seen.clear();
    walk.visit(root, 0, undefined);
  }
  return walk.graph;
}

/** The configuration of a cluster that has endpoints of its own. */
export function leafConfig(cluster: ClusterResource, note: string, endpoints: EndpointState): ClusterConfig {
  return { kind: 'endpoints', cluster, note, endpoints };
}

/** What an aggregate collects from its children. */
interface AggregateChildren {
  aggregate: string;
  leaves: string[];
  notes: string[];
  isTooDeep: boolean;
}

class GraphWalk {
  readonly graph: Graph = {
    clusters: new Map(),
    needed: new Map(),
    endpoints: new Map(),
    hosts: new Map(),
    missing: { CDS: new Set(), EDS: new Set(), DNS: new Set() },
  };
  /** A cluster counts where it is first visited; that also ends cycles. */
  readonly seen = new Set<string>();
  readonly #lookup: ResourceLookup;

  constructor(lookup: ResourceLookup) {
    this.#lookup = lookup;
  }

  /** Whether everything below has arrived. */
  visit(name: string, depth: number, parent: AggregateChildren | undefined): boolean {
    if (depth === MAX_DEPTH) {
      if (parent !== undefined) parent.isTooDeep = true;
      return true;
    }
    if (this.seen.has(name)) return true;
    this.seen.add(name);
    if (parent === undefined || !this.graph.needed.has(name)) this.graph.needed.set(name, parent?.aggregate);
    const state = this.#lookup.cluster(name);
    if (state === undefined) return this.#isMissing('CDS', name);
    if (state.kind === 'error') {
      this.#set(name, depth, state);
      parent?.notes.push(state.message);
      return true;
    }
    const { discovery } = state.cluster;
    if (discovery?.kind === 'aggregate') {
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
      const found = this.#lookup.host(key);
      if (found === undefined) this.#isMissing('DNS', key);
      return found;
    }
    const resource = endpointsName(name, discovery) ?? name;
    const users = this.graph.endpoints.get(resource);
    if (users === undefined) this.graph.endpoints.set(resource, [name]);
    else users.push(name);
    const found = this.#lookup.endpoints(resource);
    if (found === undefined) this.#isMissing('EDS', resource);
    return found;
  }

  #visitAggregate(
    name: string,
    depth: number,
    cluster: ClusterResource,
    children: readonly string[],
    parent: AggregateChildren | undefined,
  ): boolean {
    const below: AggregateChildren = { aggregate: name, leaves: [], notes: [], isTooDeep: false };
    let isComplete = true;
    for (const child of children) {
      if (!this.visit(child, depth + 1, below)) isComplete = false;
      if (below.isTooDeep) break;
    }
    if (below.isTooDeep) {
      // Every cluster on the way there has one level too many.
      this.#set(name, depth, { kind: 'error', message: 'aggregate cluster graph exceeds max depth' });
      if (parent !== undefined) parent.isTooDeep = true;
      return true;
    }
    parent?.leaves.push(...below.leaves);
    parent?.notes.push(...below.notes);
    if (isComplete && below.leaves.length === 0) {
      const message = `aggregate cluster dependency graph for ${name} has no leaf clusters`;
      this.#set(name, depth, { kind: 'error', message });
      return true;
    }
    this.#set(name, depth, { kind: 'aggregate', cluster, leaves: below.leaves, note: below.notes.join('; ') });
    return isComplete;
  }

  /** The configuration of a root replaces the one that another cluster made for it. */
  #set(name: string, depth: number, config: ClusterConfig): void {
    if (depth === 0 || !this.graph.clusters.has(name)) this.graph.clusters.set(name, config);
  }

  #isMissing(type: 'CDS' | 'EDS' | 'DNS', name: string): false {
    this.graph.missing[type].add(name);
    return false;
  }
}

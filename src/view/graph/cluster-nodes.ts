import { countText } from '../../base/count-text.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ClusterConfig, XdsConfig } from '../../deps/config.js';
import type { TargetResult } from '../../inspect/inspection-result.js';
import { resourceDetail } from '../../inspect/resource-detail.js';
import { percentText } from '../../inspect/verdict/phrases.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { ClusterResource } from '../../resources/cluster.js';
import { joinHostPort } from '../../resources/common/ip-address.js';
import { endpointsName } from '../../resources/references.js';
import { clusterState } from '../../routing/lb/cluster-state.js';
import type { Pick } from '../../routing/lb/lb-state.js';
import { endpointCounts, localityKey, unhealthyIn } from './endpoint-counts.js';
import type { EndpointCounts, GraphEdge, GraphNode, NodeState } from './graph.js';
import { entryState, joined, node, versionText } from './node.js';

type Leaf = ClusterConfig & { kind: 'endpoints' };

/** The clusters of a configuration with their leaves and localities. */
export class ClusterNodes {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  readonly #target: TargetResult;
  readonly #config: XdsConfig;
  readonly #added = new Set<string>();
  /** Clusters that routes name; leaves that are not among them are drawn below their aggregate cluster. */
  readonly #routed: ReadonlySet<string>;

  constructor(target: TargetResult, config: XdsConfig, routed: ReadonlySet<string>) {
    this.#target = target;
    this.#config = config;
    this.#routed = routed;
    for (const name of routed) this.#add(name, name, 0, false);
    // Clusters that no route names any more, but that RPCs still use.
    for (const name of config.clusters.keys()) this.#add(name, name, 0, false);
  }

  /** `isSpare`: the aggregate cluster works, whatever this leaf does. */
  #add(name: string, group: string, depth: 0 | 1, isSpare: boolean): void {
    if (this.#added.has(name)) return;
    this.#added.add(name);
    const cluster = this.#config.clusters.get(name);
    const entry = this.#target.scope.entry(RESOURCE_TYPES.CDS, name);
    const value = cluster === undefined || cluster.kind === 'error' ? cachedCluster(entry) : cluster.cluster;
    const leaves = this.#leavesOf(name, cluster, value);
    const { picks } = clusterState(name, this.#config, { nodeId: this.#target.nodeId });
    const outcome = pickState(picks);
    const state = outcome === 'ok' ? entryState(entry) : isSpare ? 'partly' : outcome;
    const held = this.#target.channel.held.get(name) ?? 0;
    this.nodes.push(
      node({
        id: clusterId(name),
        kind: 'cluster',
        column: 'clusters',
        resource: { type: 'CDS', name },
        title: name,
        subtitle: joined(
          outcome === 'partly' ? failureText(picks) : '',
          state === 'ok' || outcome === 'fails' ? clusterDetail(value, leaves.length) : '',
          versionText(entry),
        ),
        note: held > 0 && !this.#routed.has(name) ? `held by ${countText(held, 'RPC')}` : '',
        // A resource that another server deleted stays usable; what RPCs get decides.
        state: state === 'fails' && outcome === 'ok' ? 'ok' : state,
        isMissing: cluster === undefined || cluster.kind === 'error',
        group: clusterId(group),
        depth,
      }),
    );
    for (const leaf of leaves) {
      this.edges.push({ from: clusterId(name), to: clusterId(leaf), label: '' });
      if (!this.#routed.has(leaf)) this.#add(leaf, group, 1, outcome === 'ok');
    }
    if (cluster?.kind === 'endpoints') this.#addLocalities(name, cluster, state);
    else if (value?.discovery?.kind !== 'aggregate') this.#addNoEndpoints(name, 'no endpoints', 'not subscribed', null);
  }

  /** The leaves of an aggregate cluster in order of preference, then the children that cannot be used. */
  #leavesOf(name: string, cluster: ClusterConfig | undefined, value: ClusterResource | undefined): string[] {
    const leaves = cluster?.kind === 'aggregate' ? cluster.leaves : [];
    const children = value?.discovery?.kind === 'aggregate' ? value.discovery.clusters : [];
    const missing = children.filter((child) => this.#config.clusters.get(child)?.kind === 'error');
    return [...new Set([...leaves, ...missing])].filter((leaf) => leaf !== name);
  }

  #addLocalities(name: string, cluster: Leaf, state: NodeState): void {
    const { discovery } = cluster.cluster;
    const { endpoints, note } = cluster.endpoints;
    const edsName = endpointsName(name, discovery);
    const entry = edsName === undefined ? undefined : this.#target.scope.entry(RESOURCE_TYPES.EDS, edsName);
    const resource = edsName === undefined ? null : ({ type: 'EDS', name: edsName } as const);
    const priorities = endpoints?.priorities ?? [];
    if (priorities.length === 0) {
      const text = endpoints === undefined ? versionText(entry) : 'the assignment is empty';
      this.#addNoEndpoints(name, 'no endpoints', edsName === undefined ? note : text, resource);
      return;
    }
    // The cache can be newer than the configuration in use; its bytes then describe other endpoints.
    const isCurrent = entry?.resource?.type === 'EDS' && entry.resource.value === endpoints;
    const unhealthy = unhealthyIn(isCurrent ? entry.bytes : undefined);
    const ids = localityIds(name, priorities);
    const all = priorities.flatMap((list, priority) => list.map((locality) => ({ priority, list, locality })));
    for (const [i, { priority, list, locality }] of all.entries()) {
      const counts = endpointCounts(locality, unhealthy.get(localityKey(priority, locality.name)) ?? 0);
      const id = ids[i] as string;
      this.nodes.push(
        node({
          ...{ id, kind: 'locality', column: 'endpoints', resource, endpoints: counts },
          title: localityTitle(locality.name, discovery),
          subtitle: priorities.length > 1 ? `priority ${priority}` : '',
          note: weightText(locality, list),
          state: localityState(counts, state),
          group: clusterId(name),
        }),
      );
      this.edges.push({ from: clusterId(name), to: id, label: '' });
    }
  }

  #addNoEndpoints(name: string, title: string, subtitle: string, resource: GraphNode['resource']): void {
    const id = `no endpoints ${name}`;
    this.nodes.push(
      node({
        ...{ id, kind: 'no endpoints', column: 'endpoints', resource, title, subtitle },
        state: resource === null ? 'unused' : 'fails',
        isMissing: true,
        group: clusterId(name),
      }),
    );
    this.edges.push({ from: clusterId(name), to: id, label: '' });
  }
}

type Place = { region: string; zone: string; subZone: string };

function localityTitle({ region, zone, subZone }: Place, discovery: Leaf['cluster']['discovery']): string {
  if (discovery?.kind === 'logical dns') return `DNS ${joinHostPort(discovery.host, discovery.port)}`;
  return [region, zone, subZone].filter((part) => part !== '').join('/') || 'no locality name';
}

/** The share of a locality in the RPCs of its priority; '' if it gets all of them. */
function weightText({ weight }: { weight: number }, all: readonly { weight: number }[]): string {
  const sum = all.reduce((total, one) => total + one.weight, 0);
  return weight < sum ? percentText(weight / sum) : '';
}

function localityState({ usable }: EndpointCounts, cluster: NodeState): NodeState {
  if (cluster === 'fails') return 'fails';
  return usable > 0 ? 'ok' : 'partly';
}

/** The ids of the localities of a cluster, in order. The control plane cannot send one twice in a priority. */
export function localityIds(cluster: string, priorities: readonly (readonly { name: Place }[])[]): string[] {
  return priorities.flatMap((list, priority) =>
    list.map(({ name }) => `locality ${JSON.stringify(localityKey(priority, name))} ${cluster}`),
  );
}

export function clusterId(name: string): string {
  return `cluster ${name}`;
}

/** What RPCs to a cluster get. */
function pickState(picks: readonly Pick[]): NodeState {
  const failing = picks.filter(({ outcome }) => outcome.kind === 'fails').length;
  if (failing > 0) return failing === picks.length ? 'fails' : 'partly';
  return picks.some(({ outcome }) => outcome.kind === 'waits') ? 'waiting' : 'ok';
}

/** `10 % of RPCs fail` */
function failureText(picks: readonly Pick[]): string {
  const share = picks.reduce((sum, { share: one, outcome }) => (outcome.kind === 'fails' ? sum + one : sum), 0);
  return `${percentText(share)} of RPCs fail`;
}

/** The cached resource of a cluster that cannot be used. */
function cachedCluster(entry: CacheEntry | undefined): ClusterResource | undefined {
  return entry?.resource?.type === 'CDS' ? entry.resource.value : undefined;
}

function clusterDetail(value: ClusterResource | undefined, leaves: number): string {
  if (value === undefined) return '';
  if (value.discovery?.kind === 'aggregate') return `aggregate of ${countText(leaves, 'cluster')}`;
  return resourceDetail({ type: 'CDS', value }).replace(', ', ' · ').replace('_experimental', '');
}

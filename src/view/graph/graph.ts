import type { ShortType } from '../../proto/resource-types.js';

/** From left to right. */
export const COLUMNS = ['target', 'hosts', 'routes', 'clusters', 'endpoints'] as const;
export type ColumnName = (typeof COLUMNS)[number];

/**
 * What RPCs get from a node, the worst first. `kept-old`: a newer version is rejected, the older one works. `unused`: no
 * RPC of this target uses it. `absent`: it exists only at other times of the session.
 */
const NODE_STATES = ['fails', 'partly', 'waiting', 'kept-old', 'ok', 'unused', 'absent'] as const;
export type NodeState = (typeof NODE_STATES)[number];

type NodeKind =
  | 'target'
  | 'listener'
  | 'route configuration'
  | 'virtual host'
  | 'filter chain'
  | 'route'
  | 'cluster'
  | 'locality'
  /** Endpoints that the client does not have. */
  | 'no endpoints'
  /** Stands for further nodes of its column. */
  | 'fold';

/** A part of a configuration. Names and texts are as received: escape them. */
export interface GraphNode {
  /** Unique in the graph, and the same at other times of the session. */
  id: string;
  kind: NodeKind;
  column: ColumnName;
  /** The resource that contains it. */
  resource: { type: ShortType; name: string } | null;
  title: string;
  subtitle: string;
  /** A short remark beside the subtitle, such as the place of a route. */
  note: string;
  state: NodeState;
  /** The client has no resource for it: it is drawn dashed. */
  isMissing: boolean;
  /** Nodes of a column with the same group stay together: an aggregate cluster and its leaves, the localities of a cluster. */
  group: string;
  /** 1 for a leaf below its aggregate cluster. */
  depth: 0 | 1;
  /** The domains of a virtual host. */
  domains?: readonly Domain[];
  /** How many of them are listed; the others are counted. */
  listedDomains?: number;
  /** The endpoints of a locality. */
  endpoints?: EndpointCounts;
  /** The position of a route or of a filter chain, counted from 0. */
  index?: number;
  /** The number of nodes that a fold stands for. */
  count?: number;
}

interface Domain {
  name: string;
  /** It is the domain that selects the virtual host for the target. */
  isMatch: boolean;
}

export type EndpointHealth = 'healthy' | 'unknown' | 'draining' | 'unhealthy';

export interface EndpointCounts {
  total: number;
  /** Usable for new RPCs. */
  usable: number;
  /** The number of endpoints by health, without those that have none. */
  byHealth: readonly (readonly [EndpointHealth, number])[];
}

export interface GraphEdge {
  from: string;
  to: string;
  /** The share of RPCs, such as `90 %`. */
  label: string;
}

/** All nodes and edges of a target, before they are sorted and folded. */
export interface FullGraph {
  /** Whether the target is a gRPC server: it has filter chains in place of virtual hosts. */
  isServer: boolean;
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
}

export function stateRank(state: NodeState): number {
  return NODE_STATES.indexOf(state);
}

/** A problem is never folded away, and never drawn dimmed. */
export function isProblem(state: NodeState): boolean {
  return stateRank(state) < stateRank('ok');
}

import { countText, thousands } from '../../base/count-text.js';
import {
  COLUMNS,
  type ColumnName,
  type FullGraph,
  type GraphEdge,
  type GraphNode,
  isProblem,
  stateRank,
} from './graph.js';
import { GraphMemory } from './memory.js';
import { node } from './node.js';

export interface GraphOptions {
  /** The ids of folds that are open. */
  open: ReadonlySet<string>;
  /** The ids of nodes that are always shown: those on the path of an RPC, and the selected one. */
  pinned: ReadonlySet<string>;
  /** Nodes at other times of the session: they keep their place. */
  memory?: GraphMemory;
}

interface GraphColumn {
  name: ColumnName;
  /** Sorted, the worst first; further ones are in folds. */
  nodes: readonly GraphNode[];
  /** The number of nodes, folded or not, without those of other times. */
  count: number;
}

/** The nodes and edges to draw. */
export interface Graph {
  isServer: boolean;
  columns: readonly GraphColumn[];
  edges: readonly GraphEdge[];
}

/** Of more nodes, the healthy ones are folded. */
const MOST: Record<ColumnName, number> = { target: 20, hosts: 1, routes: 8, clusters: 8, endpoints: 4 };
/** Even failing nodes are folded beyond this number: they are the first of the fold. */
const MOST_PROBLEMS = 40;
/** Nodes of other times, per column. */
const MOST_ABSENT = 6;

/** Sorts the nodes of each column, the worst first, and folds the healthy ones if there are many. */
export function foldGraph(full: FullGraph, options: GraphOptions): Graph {
  const memory = options.memory ?? new GraphMemory();
  const byColumn = new Map(COLUMNS.map((name) => [name, full.nodes.filter(({ column }) => column === name)]));
  const shownAs = new Map<string, string>();
  const place = new Map<string, number>();
  const columns = COLUMNS.map((name) => {
    const present = byColumn.get(name) ?? [];
    const all = [...present, ...memory.absent(name, new Set(present.map(({ id }) => id)), MOST_ABSENT)];
    const shown =
      name === 'endpoints'
        ? foldEndpoints(all, place, shownAs, options)
        : foldGroups(name, sorted(name, all, memory), shownAs, options);
    const nodes = name === 'hosts' ? shown.map((one) => withDomains(one, options.open)) : shown;
    for (const [i, { id }] of nodes.entries()) if (name === 'clusters') place.set(id, i);
    return { name, nodes, count: present.length };
  });
  return { isServer: full.isServer, columns, edges: foldEdges(full.edges, columns, shownAs) };
}

/** Of more domains, the others are counted until the user opens the node. */
const FEW_DOMAINS = 8;
const MOST_DOMAINS = 500;

function withDomains(host: GraphNode, open: ReadonlySet<string>): GraphNode {
  if (host.domains === undefined) return host;
  return { ...host, listedDomains: Math.min(host.domains.length, open.has(host.id) ? MOST_DOMAINS : FEW_DOMAINS) };
}

/** Groups of nodes, the worst first. The first column keeps the order of the path. */
function sorted(column: ColumnName, nodes: readonly GraphNode[], memory: GraphMemory): GraphNode[] {
  if (column === 'target') return [...nodes];
  const ranks = new Map<string, number>();
  // Within a group, the first node shows what RPCs get; a leaf that fails need not be used.
  for (const one of nodes) if (!ranks.has(one.group)) ranks.set(one.group, stateRank(memory.worst(one)));
  const order = (one: GraphNode): number => ranks.get(one.group) as number;
  // Of equal groups, the order of all times decides, then the order of the configuration.
  const byOrder = nodes.map((one, i) => ({ one, order: memory.order(one), i }));
  byOrder.sort((a, b) => (a.order === b.order ? a.i - b.i : a.order - b.order));
  const first = new Map<string, number>();
  for (const [i, { one }] of byOrder.entries()) if (!first.has(one.group)) first.set(one.group, i);
  return [...nodes].sort(
    (a, b) => order(a) - order(b) || (first.get(a.group) as number) - (first.get(b.group) as number),
  );
}

/** Keeps whole groups: the first few, and those with a problem or a pinned node. */
function foldGroups(
  column: ColumnName,
  nodes: readonly GraphNode[],
  shownAs: Map<string, string>,
  { open, pinned }: GraphOptions,
): GraphNode[] {
  const id = `fold ${column}`;
  if (open.has(id)) return [...nodes, ...(nodes.length > MOST[column] ? [fold(id, column, [], column)] : [])];
  const kept = new Set<string>();
  let problems = 0;
  for (const { id: own, group, state } of nodes) {
    const isBad = isProblem(state) && problems < MOST_PROBLEMS;
    if (isBad) problems++;
    if (isBad || pinned.has(own)) kept.add(group);
  }
  for (const { group, state } of nodes) {
    if (kept.size >= MOST[column]) break;
    if (state !== 'unused' || column !== 'hosts') kept.add(group);
  }
  return withFold(nodes, kept, id, column, column, shownAs);
}

/** Localities are folded per cluster, and drawn in the order of the clusters that are shown. */
function foldEndpoints(
  nodes: readonly GraphNode[],
  clusters: ReadonlyMap<string, number>,
  shownAs: Map<string, string>,
  { open, pinned }: GraphOptions,
): GraphNode[] {
  const groups = new Map<string, GraphNode[]>();
  for (const one of nodes) {
    const known = groups.get(one.group);
    if (known === undefined) groups.set(one.group, [one]);
    else known.push(one);
  }
  const shown = [...groups]
    .filter(([group]) => clusters.has(group) || clusters.size === 0)
    .sort(([a], [b]) => (clusters.get(a) ?? 0) - (clusters.get(b) ?? 0));
  return shown.flatMap(([group, list]) => {
    const id = `fold ${group}`;
    if (list.length <= MOST.endpoints + 1) return list;
    if (open.has(id)) return [...list, fold(id, 'endpoints', [], group)];
    const worst = [...list].sort((a, b) => stateRank(a.state) - stateRank(b.state)).slice(0, MOST.endpoints);
    const kept = new Set(list.filter((one) => worst.includes(one) || pinned.has(one.id)).map((one) => one.id));
    const hidden = list.filter((one) => !kept.has(one.id));
    for (const one of hidden) shownAs.set(one.id, id);
    return [...list.filter((one) => kept.has(one.id)), fold(id, 'endpoints', hidden, group)];
  });
}

function withFold(
  nodes: readonly GraphNode[],
  kept: ReadonlySet<string>,
  id: string,
  column: ColumnName,
  group: string,
  shownAs: Map<string, string>,
): GraphNode[] {
  const hidden = nodes.filter((one) => !kept.has(one.group));
  // A fold of one node needs the room of that node.
  if (hidden.length <= 1 && column !== 'hosts') return [...nodes];
  for (const one of hidden) shownAs.set(one.id, id);
  const shown = nodes.filter((one) => kept.has(one.group));
  return hidden.length === 0 ? shown : [...shown, fold(id, column, hidden, group)];
}

/** `37 more, all OK`; an open fold has no hidden nodes. */
function fold(id: string, column: ColumnName, hidden: readonly GraphNode[], group: string): GraphNode {
  const bad = hidden.filter(({ state }) => isProblem(state)).length;
  const unused = hidden.filter(({ state }) => state === 'unused').length;
  const rest =
    bad > 0
      ? `${countText(bad, 'has a problem', 'have problems')}`
      : unused === hidden.length
        ? column === 'hosts'
          ? 'not used by this target'
          : 'not used'
        : 'all OK';
  return node({
    ...{ id, kind: 'fold', column, group },
    title: hidden.length === 0 ? 'show fewer' : `${thousands(hidden.length)} more`,
    subtitle: hidden.length === 0 ? '' : rest,
    state: bad > 0 ? 'partly' : unused === hidden.length ? 'unused' : 'ok',
    count: hidden.length,
  });
}

/** Edges to folded nodes lead to the fold. Edges from folded nodes are not drawn. */
function foldEdges(
  edges: readonly GraphEdge[],
  columns: readonly GraphColumn[],
  shownAs: ReadonlyMap<string, string>,
): GraphEdge[] {
  const drawn = new Set(columns.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
  const known = new Set<string>();
  return edges.flatMap(({ from, to, label }) => {
    const end = shownAs.get(to) ?? to;
    const key = `${from}\n${end}`;
    if (!drawn.has(from) || !drawn.has(end) || (end !== to && known.has(key))) return [];
    known.add(key);
    return [{ from, to: end, label: end === to ? label : '' }];
  });
}

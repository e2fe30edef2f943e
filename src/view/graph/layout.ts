import type { Graph } from './fold.js';
import type { ColumnName, GraphEdge, GraphNode } from './graph.js';

/** A node with its place, in pixels. */
export interface PlacedNode {
  node: GraphNode;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface PlacedEdge extends GraphEdge {
  /** A path in the syntax of SVG. */
  path: string;
  /** The place of the label. */
  x: number;
  y: number;
  /** The highest and lowest place that the path reaches. */
  top: number;
  bottom: number;
}

interface PlacedColumn {
  name: ColumnName;
  x: number;
  width: number;
}

export interface Layout {
  nodes: readonly PlacedNode[];
  edges: readonly PlacedEdge[];
  columns: readonly PlacedColumn[];
  width: number;
  height: number;
}

/** Shares of the width, and the least and the largest width of each column. */
const WIDTHS: Record<ColumnName, [share: number, least: number, most: number]> = {
  target: [0.17, 138, 260],
  hosts: [0.155, 138, 300],
  routes: [0.22, 190, 420],
  clusters: [0.215, 190, 340],
  endpoints: [0.24, 212, 360],
};
const GAP = 9;
const MARGIN = 12;
/** Between columns: there edges are drawn, and after routes also their labels. */
const BETWEEN = 26;
const BESIDE_ROUTES = 42;
const NODE = 46;
const SMALL = 22;
const LINE = 15;
const INDENT = 14;

/** Places the nodes in columns. Localities are beside their cluster. `wide` is the room that there is. */
export function layoutGraph({ columns, edges }: Graph, wide: number): Layout {
  const used = columns.filter(({ name, nodes }) => name === 'target' || nodes.length > 0).map(({ name }) => name);
  const placed = placeColumns(used, wide);
  const nodes: PlacedNode[] = [];
  const nodesOf = (name: ColumnName): readonly GraphNode[] => columns.find((one) => one.name === name)?.nodes ?? [];
  for (const name of used) {
    const column = placed.find((one) => one.name === name) as PlacedColumn;
    if (name === 'clusters' || name === 'endpoints') continue;
    let y = 0;
    for (const node of nodesOf(name)) {
      const height = heightOf(node);
      nodes.push({ node, x: column.x, y, width: column.width, height });
      y += height + GAP;
    }
  }
  nodes.push(...placeClusters(nodesOf('clusters'), nodesOf('endpoints'), placed));
  const height = nodes.reduce((most, { y, height: own }) => Math.max(most, y + own), 0);
  const last = placed.at(-1);
  return {
    nodes,
    edges: placeEdges(edges, nodes),
    columns: placed,
    width: (last?.x ?? 0) + (last?.width ?? 0) + MARGIN,
    height,
  };
}

function placeColumns(names: readonly ColumnName[], wide: number): PlacedColumn[] {
  const gapAfter = (name: ColumnName): number => (name === 'routes' ? BESIDE_ROUTES : BETWEEN);
  const room = wide - 2 * MARGIN - names.slice(0, -1).reduce((sum, name) => sum + gapAfter(name), 0);
  const shares = names.reduce((sum, name) => sum + WIDTHS[name][0], 0);
  let x = MARGIN;
  return names.map((name) => {
    const [share, least, most] = WIDTHS[name];
    const width = Math.min(most, Math.max(least, Math.floor((room * share) / shares)));
    const column = { name, x, width };
    x += width + gapAfter(name);
    return column;
  });
}

/** Each cluster and its localities need the height of the larger part. */
function placeClusters(
  clusters: readonly GraphNode[],
  endpoints: readonly GraphNode[],
  columns: readonly PlacedColumn[],
): PlacedNode[] {
  const place = (name: ColumnName): PlacedColumn =>
    columns.find((one) => one.name === name) ?? { name, x: 0, width: 0 };
  const [left, right] = [place('clusters'), place('endpoints')];
  const below = new Map<string, GraphNode[]>();
  for (const one of endpoints) below.set(one.group, [...(below.get(one.group) ?? []), one]);
  const nodes: PlacedNode[] = [];
  let y = 0;
  const placeEndpoints = (list: readonly GraphNode[], from: number): number => {
    let at = from;
    for (const node of list) {
      const height = heightOf(node);
      nodes.push({ node, x: right.x, y: at, width: right.width, height });
      at += height + 3;
    }
    return at - 3;
  };
  for (const node of clusters) {
    const list = below.get(node.id) ?? [];
    below.delete(node.id);
    const height = heightOf(node);
    const beside = list.reduce((sum, one) => sum + heightOf(one) + 3, -3);
    const rowHeight = Math.max(height, beside);
    const indent = node.depth * INDENT;
    nodes.push({ node, x: left.x + indent, y, width: left.width - indent, height });
    placeEndpoints(list, y + Math.max(0, (height - beside) / 2));
    y += rowHeight + GAP;
  }
  for (const list of below.values()) y = placeEndpoints(list, y) + GAP;
  return nodes;
}

function heightOf({ kind, column, domains = [], listedDomains = 0 }: GraphNode): number {
  if (kind === 'locality') return SMALL;
  if (kind === 'fold') return column === 'hosts' ? NODE : 30;
  if (listedDomains === 0) return NODE;
  return NODE + 4 + LINE * (listedDomains + (domains.length > listedDomains ? 1 : 0));
}

function placeEdges(edges: readonly GraphEdge[], nodes: readonly PlacedNode[]): PlacedEdge[] {
  const byId = new Map(nodes.map((placed) => [placed.node.id, placed]));
  return edges.flatMap((edge) => {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    return from === undefined || to === undefined
      ? []
      : [{ ...edge, ...(from.node.column === to.node.column ? down(from, to) : across(from, to)) }];
  });
}

/** From the bottom of a node to the next one in its column, or around the left side to a leaf. */
function down(from: PlacedNode, to: PlacedNode): Omit<PlacedEdge, keyof GraphEdge> {
  if (to.node.kind !== 'cluster') {
    const x = from.x + 16;
    const [top, bottom] = [from.y + from.height, to.y];
    return { path: `M${x},${top}V${bottom}`, x, y: (top + bottom) / 2, top, bottom };
  }
  const x = Math.min(from.x, to.x) + (to.x > from.x ? 6 : -8);
  const start = to.x > from.x ? from.y + from.height : from.y + from.height / 2;
  const end = to.y + to.height / 2;
  const path = to.x > from.x ? `M${x},${start}V${end}H${to.x}` : `M${from.x},${start}H${x}V${end}H${to.x}`;
  return { path, x, y: (start + end) / 2, top: Math.min(start, end), bottom: Math.max(start, end) };
}

function across(from: PlacedNode, to: PlacedNode): Omit<PlacedEdge, keyof GraphEdge> {
  const [x1, y1] = [from.x + from.width, from.y + Math.min(from.height, NODE) / 2];
  const [x2, y2] = [to.x, to.y + Math.min(to.height, NODE) / 2];
  const bend = (x2 - x1) / 2;
  const path = y1 === y2 ? `M${x1},${y1}H${x2}` : `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
  return { path, x: x2 - 5, y: y2, top: Math.min(y1, y2), bottom: Math.max(y1, y2) };
}

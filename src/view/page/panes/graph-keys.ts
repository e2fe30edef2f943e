import type { Layout, PlacedNode } from '../../graph/layout.js';

/** The node that an arrow key leads to: up and down in the column, left and right along edges, or to the nearest node. */
export function neighbour(layout: Layout, from: PlacedNode, key: string): PlacedNode | undefined {
  switch (key) {
    case 'ArrowUp':
      return nearest(
        inColumn(layout, from).filter(({ y }) => y < from.y),
        from,
      );
    case 'ArrowDown':
      return nearest(
        inColumn(layout, from).filter(({ y }) => y > from.y),
        from,
      );
    case 'ArrowLeft':
      return sideways(layout, from, -1);
    case 'ArrowRight':
      return sideways(layout, from, 1);
    case 'Home':
      return inColumn(layout, from)[0];
    case 'End':
      return inColumn(layout, from).at(-1);
    default:
      return undefined;
  }
}

function inColumn({ nodes }: Layout, { node }: PlacedNode): PlacedNode[] {
  return nodes.filter((one) => one.node.column === node.column);
}

function sideways(layout: Layout, from: PlacedNode, step: 1 | -1): PlacedNode | undefined {
  const { edges, columns, nodes } = layout;
  const next = new Set(
    edges.flatMap((edge) => {
      if (step > 0) return edge.from === from.node.id ? [edge.to] : [];
      return edge.to === from.node.id ? [edge.from] : [];
    }),
  );
  const own = columns.findIndex(({ name }) => name === from.node.column);
  const linked = nodes.filter(({ node }) => next.has(node.id) && node.column !== from.node.column);
  const column = columns[own + step]?.name;
  return (
    nearest(linked, from) ??
    nearest(
      nodes.filter(({ node }) => node.column === column),
      from,
    )
  );
}

function nearest(nodes: readonly PlacedNode[], { y }: PlacedNode): PlacedNode | undefined {
  let best: PlacedNode | undefined;
  for (const one of nodes) if (best === undefined || Math.abs(one.y - y) < Math.abs(best.y - y)) best = one;
  return best;
}

import { type ColumnName, type FullGraph, type GraphNode, type NodeState, stateRank } from './graph.js';

/** Bounds the work for a configuration with very many nodes. */
const MOST_NODES = 20_000;

/**
 * The nodes of a target at several times of a session. Nodes are sorted by their worst state at any of these times, so
 * that they keep their places while the selected time changes.
 */
export class GraphMemory {
  readonly #nodes = new Map<string, { node: GraphNode; worst: NodeState; order: number }>();
  #visited = 0;

  /** Whether further graphs would be ignored. */
  get isFull(): boolean {
    return this.#visited >= MOST_NODES;
  }

  add({ nodes }: FullGraph): void {
    if (this.isFull) return;
    this.#visited += nodes.length;
    for (const one of nodes) {
      const known = this.#nodes.get(one.id);
      if (known === undefined) this.#nodes.set(one.id, { node: one, worst: one.state, order: this.#nodes.size });
      else if (stateRank(one.state) < stateRank(known.worst)) known.worst = one.state;
    }
  }

  worst({ id, state }: GraphNode): NodeState {
    const known = this.#nodes.get(id)?.worst ?? state;
    return stateRank(known) < stateRank(state) ? known : state;
  }

  /** The place of a node among the nodes of all times; the last place if it is new. */
  order({ id }: GraphNode): number {
    return this.#nodes.get(id)?.order ?? Number.POSITIVE_INFINITY;
  }

  /** Nodes of a column that exist only at other times. Folds, hosts that are not used and missing endpoints are not among them. */
  absent(column: ColumnName, present: ReadonlySet<string>, most: number): GraphNode[] {
    const found: GraphNode[] = [];
    for (const { node } of this.#nodes.values()) {
      if (found.length >= most) break;
      if (node.column !== column || present.has(node.id) || node.state === 'unused' || node.kind === 'no endpoints')
        continue;
      const { endpoints: _endpoints, ...rest } = node;
      found.push({ ...rest, subtitle: 'not at this time', note: '', state: 'absent', isMissing: true });
    }
    return found;
  }
}

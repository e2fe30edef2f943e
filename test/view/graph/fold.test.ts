import { describe, expect, it } from 'vitest';
import { foldGraph, type GraphOptions } from '../../../src/view/graph/fold.js';
import type { FullGraph, GraphNode, NodeState } from '../../../src/view/graph/graph.js';
import { layoutGraph } from '../../../src/view/graph/layout.js';
import { GraphMemory } from '../../../src/view/graph/memory.js';
import { node } from '../../../src/view/graph/node.js';

const CLOSED: GraphOptions = { open: new Set(), pinned: new Set() };

function clusterNode(name: string, state: NodeState = 'ok'): GraphNode {
  return node({ id: `cluster ${name}`, kind: 'cluster', column: 'clusters', title: name, state });
}

function locality(cluster: string, i: number, state: NodeState = 'ok'): GraphNode {
  const id = `locality ${i} ${cluster}`;
  return node({ id, kind: 'locality', column: 'endpoints', title: `${i}`, group: `cluster ${cluster}`, state });
}

function graphOf(...nodes: GraphNode[]): FullGraph {
  return { isServer: false, nodes, edges: [] };
}

function many(count: number): GraphNode[] {
  return [...Array(count).keys()].map((i) => clusterNode(`c${i}`));
}

function titles(full: FullGraph, column: string, options = CLOSED): string[] {
  const found = foldGraph(full, options).columns.find(({ name }) => name === column);
  return found?.nodes.map(({ title }) => title) ?? [];
}

describe('a folded graph', () => {
  it('shows the worst first', () => {
    const full = graphOf(clusterNode('a'), clusterNode('b', 'kept-old'), clusterNode('c', 'fails'));
    expect(titles(full, 'clusters')).toEqual(['c', 'b', 'a']);
  });

  it('folds the healthy nodes if there are many', () => {
    const full = graphOf(...many(44), clusterNode('bad', 'fails'));
    const nodes = foldGraph(full, CLOSED).columns[3]?.nodes;
    expect(nodes?.[0]?.title).toBe('bad');
    expect(nodes?.at(-1)).toMatchObject({ id: 'fold clusters', title: '37 more', subtitle: 'all OK', count: 37 });
    expect(nodes).toHaveLength(9);
  });

  it('shows all nodes of an open fold', () => {
    const open = new Set(['fold clusters']);
    expect(titles(graphOf(...many(44)), 'clusters', { ...CLOSED, open })).toHaveLength(45);
  });

  it('never folds a pinned node', () => {
    const pinned = new Set(['cluster c43']);
    expect(titles(graphOf(...many(44)), 'clusters', { ...CLOSED, pinned })).toContain('c43');
  });

  it('counts problems beyond the limit in the fold', () => {
    const bad = [...Array(60).keys()].map((i) => clusterNode(`bad ${i}`, 'fails'));
    const nodes = foldGraph(graphOf(...bad), CLOSED).columns[3]?.nodes;
    expect(nodes?.at(-1)).toMatchObject({ title: '20 more', subtitle: '20 have problems', state: 'partly' });
  });

  it('folds virtual hosts that the target does not use, also a single one', () => {
    const host = (id: string, state: NodeState) =>
      node({ id, kind: 'virtual host', column: 'hosts', title: id, state });
    expect(titles(graphOf(host('x', 'unused'), host('mine', 'ok')), 'hosts')).toEqual(['mine', '1 more']);
  });

  it('counts further domains of a virtual host until it is opened, and then lists them', () => {
    const domains = [...Array(30).keys()].map((i) => ({ name: `d${i}`, isMatch: false }));
    const full = graphOf(node({ id: 'host', kind: 'virtual host', column: 'hosts', title: 'h', domains }));
    const listed = (open: string[]) =>
      foldGraph(full, { ...CLOSED, open: new Set(open) }).columns[1]?.nodes.map(({ listedDomains }) => listedDomains);
    expect(listed([])).toEqual([8]);
    expect(listed(['host'])).toEqual([30]);
  });

  it('keeps leaves below their aggregate cluster, whose state decides the place', () => {
    const leaf = { ...clusterNode('leaf', 'fails'), group: 'cluster all', depth: 1 as const };
    const full = graphOf(clusterNode('a'), clusterNode('all', 'kept-old'), leaf, clusterNode('b', 'fails'));
    expect(titles(full, 'clusters')).toEqual(['b', 'all', 'leaf', 'a']);
  });

  it('folds the localities of each cluster, and leaves out those of folded clusters', () => {
    const localities = [...Array(9).keys()].map((i) => locality('c0', i, i === 8 ? 'partly' : 'ok'));
    const full = graphOf(...many(30), ...localities, locality('c29', 0));
    expect(titles(full, 'endpoints')).toEqual(['0', '1', '2', '8', '5 more']);
  });

  it('lists localities in the order of their clusters', () => {
    const full = graphOf(clusterNode('a'), clusterNode('b', 'fails'), locality('a', 0), locality('b', 1));
    expect(titles(full, 'endpoints')).toEqual(['1', '0']);
  });

  it('leads edges of folded nodes to the fold, once', () => {
    const start = node({ id: 'route 0', kind: 'route', column: 'routes', title: '/' });
    const edges = many(44).map(({ id }) => ({ from: 'route 0', to: id, label: '1 %' }));
    const folded = foldGraph({ isServer: false, nodes: [start, ...many(44)], edges }, CLOSED);
    expect(folded.edges).toHaveLength(9);
    expect(folded.edges.at(-1)).toEqual({ from: 'route 0', to: 'fold clusters', label: '' });
  });
});

describe('nodes at other times', () => {
  it('keep their places, dashed', () => {
    const memory = new GraphMemory();
    memory.add(graphOf(clusterNode('a'), clusterNode('b', 'fails')));
    const later = foldGraph(graphOf(clusterNode('a'), clusterNode('c')), { ...CLOSED, memory }).columns[3]?.nodes;
    expect(later?.map(({ title, state, isMissing }) => [title, state, isMissing])).toEqual([
      ['b', 'absent', true],
      ['a', 'ok', false],
      ['c', 'ok', false],
    ]);
  });

  it('are sorted by their worst state at any time', () => {
    const memory = new GraphMemory();
    memory.add(graphOf(clusterNode('a'), clusterNode('b')));
    memory.add(graphOf(clusterNode('a'), clusterNode('b', 'fails')));
    expect(titles(graphOf(clusterNode('a'), clusterNode('b')), 'clusters', { ...CLOSED, memory })).toEqual(['b', 'a']);
  });
});

describe('the layout', () => {
  it('places localities beside their cluster, and the next cluster below both', () => {
    const full = graphOf(
      clusterNode('a'),
      clusterNode('b'),
      ...[0, 1, 2, 3].map((i) => locality('a', i)),
      locality('b', 0),
    );
    const { nodes } = layoutGraph(foldGraph(full, CLOSED), 1000);
    const at = (id: string) => nodes.find((one) => one.node.id === id);
    const last = at('locality 3 a');
    expect(at('cluster b')?.y).toBeGreaterThan((last?.y ?? 0) + (last?.height ?? 0));
    expect(at('locality 0 b')?.y).toBeGreaterThan(at('cluster b')?.y ?? 0);
    for (const [i, one] of nodes.entries())
      for (const other of nodes.slice(i + 1))
        expect(one.x === other.x && one.y < other.y + other.height && other.y < one.y + one.height).toBe(false);
  });

  it('fills the given width, and scrolls if that is too narrow', () => {
    const columns = ['hosts', 'routes', 'clusters', 'endpoints'] as const;
    const full = graphOf(
      ...columns.map((column) => node({ id: column, kind: 'cluster', column, title: '', group: 'clusters' })),
    );
    const { width } = layoutGraph(foldGraph(full, CLOSED), 1200);
    expect(width).toBeGreaterThan(1190);
    expect(width).toBeLessThanOrEqual(1200);
    expect(layoutGraph(foldGraph(full, CLOSED), 200).width).toBeGreaterThan(800);
  });

  it('leaves out columns without nodes', () => {
    const { columns } = layoutGraph(foldGraph(graphOf(clusterNode('a')), CLOSED), 1000);
    expect(columns.map(({ name }) => name)).toEqual(['target', 'clusters']);
  });
});

import { describe, expect, it } from 'vitest';
import { explainView } from '../../../src/inspect/explain/explain.js';
import { litPath } from '../../../src/view/graph/lit-path.js';
import { aggregate, cluster, endpoints, type PlaneSpec, route, routes } from '../../inspect/verdict-plane.js';
import { targetOf } from './plane-target.js';

function lit(spec: PlaneSpec, path: string): string[] {
  const target = targetOf(spec);
  const call = { path, metadata: [] };
  const options = { call, deadlineMs: undefined, rules: 'today' as const, nodeId: 'n', random: () => 0 };
  return [...litPath(target, explainView(target.scope, target.channel, options))];
}

const BLUE = { c: cluster('blue'), e: endpoints('blue') };
const LOCALITY = String.raw`locality "0\nr\n\n" blue`;
const START = ['target', 'listener', 'virtual host number 0'];

describe('the path of an RPC in the graph', () => {
  it('leads to the localities of its cluster', () => {
    const resources = {
      l: routes(route('/a', 'red'), route('', 'blue')),
      ...BLUE,
      cr: cluster('red'),
      er: endpoints('red'),
    };
    expect(lit({ resources }, '/b/c')).toEqual([...START, 'route 0 any path', 'cluster blue', LOCALITY]);
  });

  it('leads through an aggregate cluster to the first usable leaf', () => {
    const leaves = { cr: cluster('red'), er: endpoints('red', ['UNHEALTHY']) };
    const resources = { l: routes(route('', 'all')), ca: aggregate('all', 'red', 'blue'), ...BLUE, ...leaves };
    expect(lit({ resources }, '/b/c')).toEqual([...START, 'route 0 any path', 'cluster all', 'cluster blue', LOCALITY]);
  });

  it('ends at the cluster that fails', () => {
    const resources = { l: routes(route('/a', 'blue'), route('', 'gone')), ...BLUE };
    expect(lit({ resources, at: 20 }, '/b/c')).toEqual([...START, 'route 0 any path', 'cluster gone']);
  });

  it('ends at the virtual host if no route matches', () => {
    expect(lit({ resources: { l: routes(route('/a', 'blue')), ...BLUE } }, '/b/c')).toEqual(START);
  });
});

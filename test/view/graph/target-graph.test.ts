import { describe, expect, it } from 'vitest';
import type { GraphNode } from '../../../src/view/graph/graph.js';
import { targetGraph } from '../../../src/view/graph/target-graph.js';
import { aggregate, cluster, endpoints, type PlaneSpec, route, routes } from '../../inspect/verdict-plane.js';
import { listener } from '../../support/serving.js';
import { targetOf } from './plane-target.js';

/** `✗ cluster blue (state)`; a dashed node is in brackets. */
function lines(spec: PlaneSpec): string[] {
  return targetGraph(targetOf(spec)).nodes.map(line);
}

function line({ kind, title, state, isMissing, subtitle, note }: GraphNode): string {
  const text = `${kind} ${title}: ${state}`;
  const rest = [subtitle, note].filter((part) => part !== '').join(' | ');
  return `${isMissing ? `[${text}]` : text}${rest === '' ? '' : `, ${rest}`}`;
}

const ROUTER =
  '{ name: router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }';
const RDS = 'rds: { route_config_name: rt, config_source: { ads: {} } }';
const BLUE = { c: cluster('blue'), e: endpoints('blue', ['HEALTHY', 'UNHEALTHY', 'DRAINING']) };

describe('the graph of a target', () => {
  it('leads from the target to the endpoints', () => {
    expect(lines({ resources: { l: routes(route('', 'blue')), ...BLUE } })).toEqual([
      'target xds:///greeter: ok, authority greeter',
      'listener greeter: ok, LDS 1',
      'virtual host (no name): ok, matches greeter',
      'route any path: ok, OK | 1 of 1',
      'cluster blue: ok, EDS · round_robin · 1',
      'locality r: ok',
    ]);
  });

  it('counts endpoints by health, also those that gRPC ignores', () => {
    const { nodes } = targetGraph(targetOf({ resources: { l: routes(route('', 'blue')), ...BLUE } }));
    expect(nodes.at(-1)?.endpoints).toEqual({
      total: 3,
      usable: 1,
      byHealth: [
        ['healthy', 1],
        ['draining', 1],
        ['unhealthy', 1],
      ],
    });
  });

  it('marks the domain that selects the virtual host, and lists hosts that the target does not use', () => {
    const hosts =
      'route_config: { virtual_hosts: [{ name: other, domains: [else], routes: [] }, { name: mine, domains: ["*", greeter, "gree*"], routes: [] }] }';
    const { nodes } = targetGraph(targetOf({ resources: { l: listener(hosts) } }));
    const [other, mine] = nodes.filter(({ kind }) => kind === 'virtual host');
    expect(other).toMatchObject({ state: 'unused', subtitle: 'not used by this target' });
    expect(mine?.state).toBe('fails');
    expect(mine?.domains?.filter(({ isMatch }) => isMatch)).toEqual([{ name: 'greeter', isMatch: true }]);
  });

  it('labels edges with the shares of a weighted route', () => {
    const split =
      '{ match: { prefix: "/a" }, route: { weighted_clusters: { clusters: [{ name: blue, weight: 9 }, { name: red, weight: 1 }] } } }';
    const spec = { resources: { l: routes(split), ...BLUE, cr: cluster('red'), er: endpoints('red', ['UNHEALTHY']) } };
    expect(targetGraph(targetOf(spec)).edges.filter(({ label }) => label !== '')).toEqual([
      { from: 'route 0 prefix /a', to: 'cluster blue', label: '90 %' },
      { from: 'route 0 prefix /a', to: 'cluster red', label: '10 %' },
    ]);
    expect(lines(spec)).toContain('route /a*: partly, UNAVAILABLE for 10 % · 2 clusters | 1 of 1');
    expect(lines(spec)).toContain('cluster red: fails, EDS · round_robin · 1');
  });

  it('puts the leaves of an aggregate cluster below it', () => {
    const spec = {
      resources: {
        l: routes(route('', 'all')),
        ca: aggregate('all', 'red', 'blue'),
        ...BLUE,
        cr: cluster('red'),
        er: endpoints('red'),
      },
    };
    const { nodes, edges } = targetGraph(targetOf(spec));
    const clusters = nodes.filter(({ kind }) => kind === 'cluster');
    expect(clusters.map(({ title, depth, group }) => [title, depth, group])).toEqual([
      ['all', 0, 'cluster all'],
      ['red', 1, 'cluster all'],
      ['blue', 1, 'cluster all'],
    ]);
    expect(edges).toContainEqual({ from: 'cluster all', to: 'cluster blue', label: '' });
  });

  it('does not show a leaf as failing while its aggregate cluster uses another one', () => {
    const leaves = { cr: cluster('red'), er: endpoints('red', ['UNHEALTHY']) };
    const spec = {
      resources: { l: routes(route('', 'all')), ca: aggregate('all', 'red', 'blue'), ...BLUE, ...leaves },
    };
    expect(lines(spec)).toContain('cluster all: ok, aggregate of 2 clusters · 1');
    expect(lines(spec)).toContain('cluster red: partly, EDS · round_robin · 1');
    expect(lines(spec)).toContain('cluster blue: ok, EDS · round_robin · 1');
  });

  it('puts the missing leaf of an aggregate cluster below it, even if that makes the cluster unusable', () => {
    const spec = { resources: { l: routes(route('', 'all')), ca: aggregate('all', 'gone') }, at: 20 };
    const { nodes, edges } = targetGraph(targetOf(spec));
    expect(nodes.map(line).slice(-3)).toEqual([
      '[cluster all: fails], aggregate of 1 cluster · 1',
      '[cluster gone: fails], DOES_NOT_EXIST · no version',
      '[no endpoints no endpoints: unused], not subscribed',
    ]);
    expect(edges).toContainEqual({ from: 'cluster all', to: 'cluster gone', label: '' });
  });

  it('shows the filter chains of a server and their routes', () => {
    const manager = `{ name: hcm, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, http_filters: [${ROUTER}], route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "/a" }, non_forwarding_action: {} }] }] } } }`;
    const l = `{ "@type": LDS, name: greeter, address: { socket_address: { address: 127.0.0.1, port_value: 80 } }, filter_chains: [{ filters: [${manager}] }] }`;
    expect(lines({ resources: { l }, target: '#server:127.0.0.1:80' })).toEqual([
      'target #server:127.0.0.1:80: ok, gRPC server',
      'listener greeter: ok, LDS 1',
      'filter chain any connection: ok, accepts RPCs · routes in the listener',
      'route /a*: ok, accepted | 1 of 1',
    ]);
  });

  it('shows that an old version is kept', () => {
    const bad = cluster('blue').replace(/ }$/, ', lb_policy: MAGLEV }');
    const spec: PlaneSpec = {
      resources: { l: routes(route('', 'blue')), ...BLUE, cbad: bad },
      serves: ['l', 'c', 'e'],
      steps: ['{ wait: 500ms }', '{ server: p, set: { type: CDS, version: "2", resources: [cbad] } }'],
    };
    expect(lines(spec)).toContain('cluster blue: kept-old, NACKED 2 · 1 kept');
  });

  it('draws a missing cluster dashed, without endpoints', () => {
    const spec = { resources: { l: routes(route('', 'gone'), route('/a', 'blue')), ...BLUE }, at: 20 };
    expect(lines(spec)).toContain('[cluster gone: fails], DOES_NOT_EXIST · no version');
    expect(lines(spec)).toContain('[no endpoints no endpoints: unused], not subscribed');
  });

  it('ends at the resource that is missing', () => {
    expect(lines({ resources: { l: listener(RDS) } })).toEqual([
      'target xds:///greeter: waiting, authority greeter',
      'listener greeter: ok, LDS 1',
      '[route configuration rt: waiting], RDS REQUESTED',
    ]);
    expect(lines({ resources: { l: routes(route('', 'blue')) } }).slice(2)).toEqual([
      'virtual host (no name): waiting, matches greeter',
      '[cluster blue: waiting], REQUESTED',
    ]);
  });

  it('lists all virtual hosts if none matches', () => {
    const hosts = 'route_config: { virtual_hosts: [{ name: a, domains: [a] }, { name: b, domains: [b] }] }';
    expect(lines({ resources: { l: listener(hosts) } }).slice(2)).toEqual([
      'virtual host a: fails, no domain matches',
      'virtual host b: fails, no domain matches',
    ]);
  });

  it('joins every edge to nodes of the graph', () => {
    const spec = { resources: { l: routes(route('', 'gone'), route('/a', 'blue')), ...BLUE }, at: 20 };
    const { nodes, edges } = targetGraph(targetOf(spec));
    const ids = new Set(nodes.map(({ id }) => id));
    expect(ids.size).toBe(nodes.length);
    for (const { from, to } of edges) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
  });
});

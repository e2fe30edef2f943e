import { describe, expect, it } from 'vitest';
import { skewedFilters } from '../../src/deps/tears/filter-skew.js';
import { Follow, json } from './follow.js';

const PLUGIN = {
  '@type': 'type.googleapis.com/grpc.lookup.v1.RouteLookupClusterSpecifier',
  route_lookup_config: {
    ...{ grpc_keybuilders: [{ names: [{ service: 's' }] }], lookup_service: 'rls.example:1' },
    ...{ lookup_service_timeout: '1s', cache_size_bytes: 1000 },
  },
};

describe('the routes that lead to a resource', () => {
  const indexes = ({ manager }: Follow, type: 'LDS' | 'RDS' | 'CDS' | 'EDS', name: string): number[] =>
    manager.routesTo(type, name).map(({ index }) => index);

  it('are only those to clusters and endpoints, even if a listener or routes have the name of a cluster', () => {
    const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes('l', 'r'));
    expect((['LDS', 'RDS'] as const).map((type) => indexes(run, type, type === 'LDS' ? 'l' : 'r'))).toEqual([[], []]);
    expect([indexes(run, 'CDS', 'l'), indexes(run, 'CDS', 'r')]).toEqual([[0], [1]]);
  });

  it('are those to the clusters that use an endpoint resource, not to a cluster of its name', () => {
    const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes('a', 'b'));
    run.get('CDS', 'a', json.eds('a', 'b')).get('CDS', 'b', json.eds('b', 'c'));
    expect([indexes(run, 'EDS', 'b'), indexes(run, 'CDS', 'b')]).toEqual([[0], [1]]);
  });

  it('are none before the routes arrive', () => {
    expect(indexes(new Follow(), 'CDS', 'a')).toEqual([]);
  });

  it('omit routes whose cluster a plugin chooses', () => {
    const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', {
      name: 'r',
      cluster_specifier_plugins: [{ extension: { name: 'rls', typed_config: PLUGIN } }],
      virtual_hosts: [
        {
          domains: ['*'],
          routes: [
            { match: { prefix: '/p' }, route: { cluster_specifier_plugin: 'rls' } },
            { match: { prefix: '' }, route: { cluster: 'a' } },
          ],
        },
      ],
    });
    expect(indexes(run, 'CDS', 'a')).toEqual([1]);
  });
});

describe('filters that routes override but the listener lacks', () => {
  it('include overrides of weighted clusters, and ignore routes without a cluster', () => {
    const none = new Map();
    const weighted = { kind: 'weighted', clusters: [{ overrides: new Map([['b', {}]]) }] };
    const config = {
      listener: { filters: [{ name: 'a' }] },
      virtualHost: {
        overrides: new Map([['a', {}]]),
        routes: [
          { overrides: none, action: { kind: 'unknown', field: 'redirect' } },
          { overrides: none, action: { kind: 'route', destination: weighted } },
        ],
      },
    };
    expect(skewedFilters(config as unknown as Parameters<typeof skewedFilters>[0])).toEqual(['b']);
  });
});

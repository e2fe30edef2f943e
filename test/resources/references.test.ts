import { describe, expect, it } from 'vitest';
import { referencesOf } from '../../src/resources/references.js';
import { acceptedJson } from './validate.js';

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = {
  name: 'router',
  typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
};
const rds = (name: string): object => ({
  '@type': HCM,
  http_filters: [ROUTER],
  rds: { route_config_name: name, config_source: { ads: {} } },
});
const inline = (...clusters: string[]): object => ({
  '@type': HCM,
  http_filters: [ROUTER],
  route_config: {
    virtual_hosts: [
      { domains: ['*'], routes: clusters.map((cluster) => ({ match: { prefix: '' }, route: { cluster } })) },
    ],
  },
});
const chain = (config: object, more: object = {}): object => ({
  filters: [{ name: 'hcm', typed_config: config }],
  ...more,
});
const cluster = (more: object): object => ({ name: 'c', ...more });

describe('what a resource leads to', () => {
  it.each<[string, string, object, string[]]>([
    ['a client listener to its routes', 'LDS', { name: 'l', api_listener: { api_listener: rds('r') } }, ['RDS r']],
    [
      'inline routes to clusters, each once',
      'LDS',
      { name: 'l', api_listener: { api_listener: inline('a', 'b', 'a') } },
      ['CDS a', 'CDS b'],
    ],
    [
      'a server listener to those of every chain',
      'LDS',
      {
        name: 'l',
        address: { socket_address: { address: '0.0.0.0', port_value: 1 } },
        filter_chains: [
          chain(rds('one'), { filter_chain_match: { source_ports: [1] } }),
          chain(rds('never'), { filter_chain_match: { server_names: ['x'] } }),
        ],
        default_filter_chain: chain(rds('two')),
      },
      ['RDS one', 'RDS two'],
    ],
    [
      'weighted clusters, but not those without weight',
      'RDS',
      {
        name: 'r',
        virtual_hosts: [
          {
            domains: ['*'],
            routes: [
              {
                match: { prefix: '' },
                route: {
                  weighted_clusters: {
                    clusters: [
                      { name: 'a', weight: 1 },
                      { name: 'b', weight: 0 },
                      { name: 'c', weight: 2 },
                    ],
                  },
                },
              },
              { match: { prefix: '/x' }, non_forwarding_action: {} },
            ],
          },
        ],
      },
      ['CDS a', 'CDS c'],
    ],
    [
      'a cluster to endpoints of its own name',
      'CDS',
      cluster({ type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } }),
      ['EDS c'],
    ],
    [
      'a cluster to endpoints of another name',
      'CDS',
      cluster({ type: 'EDS', eds_cluster_config: { eds_config: { ads: {} }, service_name: 's' } }),
      ['EDS s'],
    ],
    [
      'an aggregate to its children',
      'CDS',
      cluster({
        cluster_type: {
          name: 'envoy.clusters.aggregate',
          typed_config: {
            '@type': 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig',
            clusters: ['x', 'y', 'x'],
          },
        },
      }),
      ['CDS x', 'CDS y'],
    ],
    [
      'a DNS name to nothing',
      'CDS',
      cluster({
        type: 'LOGICAL_DNS',
        load_assignment: {
          endpoints: [
            { lb_endpoints: [{ endpoint: { address: { socket_address: { address: 'h', port_value: 1 } } } }] },
          ],
        },
      }),
      [],
    ],
    ['endpoints to nothing', 'EDS', { cluster_name: 'e' }, []],
  ])('%s', (_, type, json, expected) => {
    const references = referencesOf('c', acceptedJson(type, json));
    expect(references.map((r) => `${r.type} ${r.name}`)).toEqual(expected);
  });
});

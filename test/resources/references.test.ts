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

describe('referencesOf', () => {
  it.each<[string, string, object, string[]]>([
    [
      'returns the routes of a client listener',
      'LDS',
      { name: 'l', api_listener: { api_listener: rds('r') } },
      ['RDS r'],
    ],
    [
      'returns each cluster of inline routes once',
      'LDS',
      { name: 'l', api_listener: { api_listener: inline('a', 'b', 'a') } },
      ['CDS a', 'CDS b'],
    ],
    [
      'returns the routes of every usable filter chain of a server listener',
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
      'returns weighted clusters except those with weight 0',
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
      'returns the endpoints with the name of the cluster',
      'CDS',
      cluster({ type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } }),
      ['EDS c'],
    ],
    [
      'returns the endpoints with the service name of a cluster',
      'CDS',
      cluster({ type: 'EDS', eds_cluster_config: { eds_config: { ads: {} }, service_name: 's' } }),
      ['EDS s'],
    ],
    [
      'returns the children of an aggregate cluster',
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
      'returns nothing for a LOGICAL_DNS cluster',
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
    ['returns nothing for endpoints', 'EDS', { cluster_name: 'e' }, []],
  ])('%s', (_, type, json, expected) => {
    const references = referencesOf('c', acceptedJson(type, json));
    expect(references.map((r) => `${r.type} ${r.name}`)).toEqual(expected);
  });
});

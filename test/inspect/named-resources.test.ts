import { describe, expect, it } from 'vitest';
import { clusterNames, endpointNames, routeNames } from '../../src/inspect/named-resources.js';
import type { Json } from '../../src/proto/json/well-known.js';

const ADS = { ads: {} };
const rds = (routeConfigName: string, configSource: Json = ADS): Json => ({ rds: { routeConfigName, configSource } });
const eds = (name: string, edsClusterConfig: Json, type = 'EDS'): Json => ({ name, type, edsClusterConfig });

describe('the route configurations that listeners name', () => {
  const table: [title: string, listeners: Json[], names: string[]][] = [
    ['are found in the listener of a client', [{ apiListener: { apiListener: rds('a') } }], ['a']],
    [
      'are found in each filter chain of a server',
      [{ filterChains: [{ filters: [{ typedConfig: rds('a') }] }, { filters: [{ typedConfig: rds('b') }] }] }],
      ['a', 'b'],
    ],
    ['are listed once', [rds('a'), rds('a')], ['a']],
    ['are found if the source is the same server', [rds('a', { self: {} })], ['a']],
    ['are ignored if they come from a file', [rds('a', { path: '/routes' })], []],
    ['are ignored without a source', [{ rds: { routeConfigName: 'a' } }], []],
    ['are ignored if the source is not an object', [rds('a', 'ads')], []],
    ['are ignored if the name is empty', [rds('')], []],
    ['are ignored if the name is not a text', [{ rds: { routeConfigName: 5, configSource: ADS } }], []],
    ['are empty for a listener without RDS', [{ rds: null }, 'text', null], []],
  ];
  it.each(table)('%s', (_, listeners, names) => {
    expect(routeNames(listeners)).toEqual(names);
  });
});

describe('the clusters that routes name', () => {
  it('include weighted clusters, and no redirects', () => {
    const weightedClusters = { clusters: [{ name: 'b' }, { name: 'a' }, null] };
    const routes: Json[] = [{ route: { cluster: 'a' } }, { route: { weightedClusters } }, { redirect: {} }];
    expect(clusterNames([{ virtualHosts: [{ routes }] }])).toEqual(['a', 'b']);
  });
});

describe('the endpoint resources that clusters name', () => {
  const table: [title: string, cluster: Json, names: string[]][] = [
    ['have the service name', eds('c', { edsConfig: ADS, serviceName: 's' }), ['s']],
    ['have the name of the cluster without a service name', eds('c', { edsConfig: ADS }), ['c']],
    ['may come from the same server', eds('c', { edsConfig: { self: {} } }), ['c']],
    ['are ignored if they come from a file', eds('c', { edsConfig: { path: '/e' }, serviceName: 's' }), []],
    ['are ignored without a source', eds('c', { serviceName: 's' }), []],
    ['are ignored for another cluster type', eds('c', { edsConfig: ADS }, 'STATIC'), []],
    ['are ignored for a cluster without a name', eds('', { edsConfig: ADS }), []],
  ];
  it.each(table)('%s', (_, cluster, names) => {
    expect(endpointNames([cluster])).toEqual(names);
  });
});

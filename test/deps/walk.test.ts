import { describe, expect, it } from 'vitest';
import { findVirtualHost } from '../../src/deps/virtual-host.js';
import { neededBy } from '../../src/deps/walk.js';
import { RESOURCE_TYPES, shortType, typeUrlOf } from '../../src/proto/resource-types.js';
import type { XdsResource } from '../../src/resources/resource.js';
import { acceptedJson } from '../resources/judge.js';

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = {
  name: 'r',
  typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
};
const route = (cluster: string): object => ({ match: { prefix: '' }, route: { cluster } });
const hosts = (domains: Record<string, string>): object[] =>
  Object.entries(domains).map(([domain, cluster]) => ({ domains: [domain], routes: [route(cluster)] }));

describe('the virtual host of an authority', () => {
  const routes = acceptedJson('RDS', {
    name: 'r',
    virtual_hosts: hosts({
      '*': 'any',
      'a.*': 'prefix',
      'a.b.*': 'longer prefix',
      '*.com': 'suffix',
      '*.b.com': 'longer suffix',
      'a.b.com': 'exact',
    }),
  });
  it.each([
    ['a.b.com', 'exact'],
    ['A.B.COM', 'exact'],
    ['x.b.com', 'longer suffix'],
    ['x.com', 'suffix'],
    ['a.b.org', 'longer prefix'],
    ['a.org', 'prefix'],
    ['org', 'any'],
  ])('%s: %s', (authority, cluster) => {
    const host = routes.type === 'RDS' ? findVirtualHost(routes.value, authority) : undefined;
    expect(host?.routes[0]?.action).toMatchObject({ destination: { name: cluster } });
  });

  it('the first of equals, and none where none fits', () => {
    const [first, none] = [{ '*.x': 'one', '*.X': 'two' }, { y: 'z' }].map((domains) =>
      acceptedJson('RDS', { name: 'r', virtual_hosts: hosts(domains) }),
    );
    expect(first?.type === 'RDS' && findVirtualHost(first.value, 'a.x')?.domains).toEqual(['*.x']);
    expect(none?.type === 'RDS' && findVirtualHost(none.value, 'a')).toBeUndefined();
  });
});

describe('what a target needs', () => {
  const eds = (name: string): object => ({ name, type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } });
  const aggregate = (name: string, ...clusters: string[]): object => ({
    name,
    cluster_type: {
      name: 'envoy.clusters.aggregate',
      typed_config: { '@type': 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig', clusters },
    },
  });
  const resources = new Map<string, XdsResource>();
  const add = (type: string, name: string, json: object): void => {
    resources.set(`${typeUrlOf(type)} ${name}`, acceptedJson(type, json));
  };
  const rds = { '@type': HCM, http_filters: [ROUTER], rds: { route_config_name: 'r', config_source: { ads: {} } } };
  add('LDS', 'l', { name: 'l', api_listener: { api_listener: rds } });
  add('RDS', 'r', { name: 'r', virtual_hosts: hosts({ a: 'one', b: 'two' }) });
  add('CDS', 'one', eds('one'));
  add('CDS', 'two', aggregate('two', 'one', 'two', 'three'));

  const needed = (listener: string, authority: string | undefined): string[] =>
    neededBy({ listener, authority }, (typeUrl, name) => resources.get(`${typeUrl} ${name}`)).map(
      ({ typeUrl, name }) => `${shortType(typeUrl)} ${name}`,
    );

  it('is the listener alone while nothing is known', () => {
    expect(needed('unknown', 'a')).toEqual(['LDS unknown']);
    expect(RESOURCE_TYPES.LDS).toContain('Listener');
  });

  it('goes on by what each resource leads to, through aggregates that name themselves', () => {
    expect(needed('l', 'a')).toEqual(['LDS l', 'RDS r', 'CDS one', 'EDS one']);
    expect(needed('l', 'b')).toEqual(['LDS l', 'RDS r', 'CDS two', 'CDS one', 'CDS three', 'EDS one']);
    expect(needed('l', 'nobody')).toEqual(['LDS l', 'RDS r']);
  });

  it('is all of it for a server, which has no authority', () => {
    expect(needed('l', undefined)).toEqual(['LDS l', 'RDS r', 'CDS one', 'CDS two', 'EDS one', 'CDS three']);
  });
});

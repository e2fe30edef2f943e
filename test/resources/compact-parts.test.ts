import { describe, expect, it } from 'vitest';
import { Ipv4Endpoint, resolvedEndpoint } from '../../src/resources/resolved-endpoint.js';
import { acceptedJson } from './validate.js';

const route = (path: string, action: object, more: object = {}): object => ({
  match: { prefix: path },
  route: action,
  ...more,
});

function routesOf(host: object, ...routes: object[]) {
  const resource = acceptedJson('RDS', { name: 'r', virtual_hosts: [{ domains: ['*'], routes, ...host }] });
  if (resource.type !== 'RDS') throw new Error('not routes');
  return resource.value.virtualHosts[0]?.routes ?? [];
}

describe('routes of a resource', () => {
  it('share equal actions and empty lists, so that a route needs little memory', () => {
    const [a, b, c] = routesOf(
      {},
      route('/a', { cluster: 'x' }),
      route('/b', { cluster: 'x' }),
      route('/c', { cluster: 'y' }),
    );
    expect(a?.action).toBe(b?.action);
    expect(a?.action).not.toBe(c?.action);
    expect(a?.match.headers).toBe(c?.match.headers);
    expect(a?.overrides).toBe(c?.overrides);
  });

  it.each<[what: string, action: object]>([
    ['retry policy', { retry_policy: { retry_on: 'cancelled' } }],
    ['hash policy', { hash_policy: [{ header: { header_name: 'h' } }] }],
    ['timeout that output shows', { timeout: '3s' }],
    ['maximum gRPC timeout that output shows', { max_grpc_timeout: '3s' }],
    ['stream duration', { max_stream_duration: { max_stream_duration: '3s' } }],
    ['destination', { weighted_clusters: { clusters: [{ name: 'x', weight: 1 }] } }],
  ])('do not share an action with another %s', (_, more) => {
    const cluster = 'weighted_clusters' in more ? {} : { cluster: 'x' };
    const alone = routesOf({}, route('/b', { ...cluster, ...more }))[0]?.action;
    const [a, b, c] = routesOf(
      {},
      route('/a', { cluster: 'x' }),
      route('/b', { ...cluster, ...more }),
      route('/c', { cluster: 'x' }),
    );
    expect(b?.action).not.toBe(a?.action);
    expect(b?.action).toEqual(alone);
    expect(c?.action).toEqual(a?.action);
  });

  it('do not share an action with the retry policy of another virtual host', () => {
    const hosts = [
      { domains: ['a'], routes: [route('', { cluster: 'x' })], retry_policy: { retry_on: 'cancelled' } },
      { domains: ['b'], routes: [route('', { cluster: 'x' })] },
    ];
    const resource = acceptedJson('RDS', { name: 'r', virtual_hosts: hosts });
    const actions = resource.type === 'RDS' ? resource.value.virtualHosts.map((host) => host.routes[0]?.action) : [];
    expect(actions).toMatchObject([{ retryPolicy: { retryOn: ['cancelled'] } }, { retryPolicy: undefined }]);
  });
});

describe('an endpoint', () => {
  it('with one IPv4 address is one object without parts', () => {
    const lbEndpoint = { endpoint: { address: { socket_address: { address: '255.0.0.1', port_value: 80 } } } };
    const locality = { locality: {}, load_balancing_weight: 1, lb_endpoints: [lbEndpoint] };
    const resource = acceptedJson('EDS', { cluster_name: 'c', endpoints: [locality] });
    const endpoint = resource.type === 'EDS' ? resource.value.priorities[0]?.[0]?.endpoints[0] : undefined;
    expect(Object.values(endpoint ?? {}).map((value) => typeof value)).not.toContain('object');
    expect(endpoint?.addresses).toEqual([{ family: 4, v4: 0xff000001, port: 80 }]);
  });

  it('has the same form however its only address was read', () => {
    const address = { family: 4, v4: 1, port: 80 } as const;
    expect(resolvedEndpoint([address], 'healthy', 1, 'h')).toEqual(new Ipv4Endpoint(1, 80, 'healthy', 1, 'h'));
  });

  it('with more addresses keeps them', () => {
    const addresses = [
      { family: 4, v4: 1, port: 80 },
      { family: 4, v4: 2, port: 80 },
    ] as const;
    expect(resolvedEndpoint(addresses, 'healthy', 1, 'h')).toEqual({
      addresses,
      health: 'healthy',
      weight: 1,
      hostname: 'h',
    });
  });
});

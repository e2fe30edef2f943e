import { describe, expect, it } from 'vitest';
import { sameResource } from '../../src/resources/equal.js';
import { acceptedJson, bytesOf, validateBytes } from './validate.js';

const route = (cluster: string, more: object = {}): object => ({ match: { prefix: '' }, route: { cluster, ...more } });
const routes = (...list: object[]): object => ({ name: 'r', virtual_hosts: [{ domains: ['*'], routes: list }] });
const cluster = (more: object = {}): object => ({
  name: 'c',
  type: 'EDS',
  eds_cluster_config: { eds_config: { ads: {} } },
  ...more,
});

describe('sameResource (R1.15) ignores', () => {
  it.each([
    [
      'fields that gRPC does not read',
      'CDS',
      cluster(),
      cluster({ connect_timeout: '3s', dns_lookup_family: 'V4_ONLY' }),
    ],
    ['an explicit default', 'CDS', cluster(), cluster({ lb_policy: 'ROUND_ROBIN' })],
    ['ads instead of self', 'CDS', cluster(), cluster({ eds_cluster_config: { eds_config: { self: {} } } })],
    [
      'names of routes and virtual hosts',
      'RDS',
      routes(route('a')),
      { ...routes({ ...route('a'), name: 'x' }), name: 'r' },
    ],
    [
      'routes that gRPC skips',
      'RDS',
      routes(route('a')),
      routes({ match: { prefix: 'nope' }, route: { cluster: 'b' } }, route('a')),
    ],
    ['a timeout, which only A31 reads', 'RDS', routes(route('a')), routes(route('a', { timeout: '5s' }))],
    [
      'an endpoint that gRPC skips',
      'EDS',
      { cluster_name: 'e' },
      { cluster_name: 'e', endpoints: [{ lb_endpoints: [{ health_status: 'UNHEALTHY' }] }] },
    ],
  ])('%s', (_, type, a, b) => {
    expect(sameResource(acceptedJson(type, a), acceptedJson(type, b))).toBe(true);
  });

  it('the order of fields on the wire', () => {
    const bytes = bytesOf('CDS', cluster());
    const name = bytes.subarray(0, 3);
    const moved = new Uint8Array([...bytes.subarray(3), ...name]);
    const [a, b] = [validateBytes('CDS', bytes), validateBytes('CDS', moved)];
    expect(a.ok && b.ok && sameResource(a.resource, b.resource)).toBe(true);
  });
});

describe('sameResource detects', () => {
  it.each([
    ['a different cluster', 'RDS', routes(route('a')), routes(route('b'))],
    ['an additional route', 'RDS', routes(route('a')), routes(route('a'), route('a'))],
    ['the order of routes', 'RDS', routes(route('a'), route('b')), routes(route('b'), route('a'))],
    ['a metadata key', 'CDS', cluster(), cluster({ metadata: { filter_metadata: { k: {} } } })],
    [
      'a metadata value',
      'CDS',
      cluster({ metadata: { filter_metadata: { k: { a: 1 } } } }),
      cluster({ metadata: { filter_metadata: { k: { a: 2 } } } }),
    ],
    [
      'a different service name',
      'CDS',
      cluster(),
      cluster({ eds_cluster_config: { eds_config: { ads: {} }, service_name: 's' } }),
    ],
    ['a different LB policy', 'CDS', cluster(), cluster({ lb_policy: 'RING_HASH' })],
    [
      'a drop',
      'EDS',
      { cluster_name: 'e' },
      { cluster_name: 'e', policy: { drop_overloads: [{ category: 'x', drop_percentage: {} }] } },
    ],
  ])('%s', (_, type, a, b) => {
    expect(sameResource(acceptedJson(type, a), acceptedJson(type, b))).toBe(false);
  });

  it('different kinds of values', () => {
    expect(sameResource(new Map(), {})).toBe(false);
    expect(sameResource({}, new Map())).toBe(false);
    expect(sameResource([], {})).toBe(false);
    expect(sameResource({ a: 1 }, { b: 1 })).toBe(false);
    expect(sameResource(new Map([['a', 1]]), new Map([['b', 1]]))).toBe(false);
    expect(sameResource(null, {})).toBe(false);
    expect(sameResource(Number.NaN, Number.NaN)).toBe(true);
  });
});

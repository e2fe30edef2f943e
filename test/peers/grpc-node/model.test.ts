import { describe, expect, it } from 'vitest';
import { Problems } from '../../../src/base/problem.js';
import type { Any } from '../../../src/proto/generated/google.protobuf.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseAny } from '../../../src/proto/json/parse.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { writeUtf8 } from '../../../src/proto/wire/utf8.js';
import { CONTEXT } from '../../resources/context.js';
import { bytesField } from '../../resources/wire-edit.js';
import { validateAsNode } from './validate-as-node.js';

type Type = keyof typeof RESOURCE_TYPES;

const T = 'type.googleapis.com/envoy';
const ROUTER = { name: 'router', typed_config: { '@type': `${T}.extensions.filters.http.router.v3.Router` } };
const LISTENER_MANAGER = `${T}.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`;
const EDS = { name: 'foo', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };

function encoded(type: Type, json: object): Any {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, { '@type': RESOURCE_TYPES[type], ...json }, problems);
  expect(problems.list).toEqual([]);
  return any as Any;
}

/** The model of the only resource, and the parts that grpc-js-xds ignores. */
function accepted(any: Any): { value: unknown; ignored: string[] } {
  const response = { versionInfo: '', nonce: '', controlPlane: undefined, resourceErrors: [] };
  const { nack, resources } = validateAsNode({ ...response, typeUrl: any.typeUrl, resources: [any] }, CONTEXT);
  expect(nack).toBeUndefined();
  const result = resources[0]?.result;
  if (!result?.ok) throw new Error('rejected');
  return { value: result.resource.value, ignored: result.ignored.map(({ kind, path }) => `${kind} ${path}`) };
}

function listener(manager: object): Any {
  return encoded('LDS', { name: 'foo', api_listener: { api_listener: { '@type': LISTENER_MANAGER, ...manager } } });
}

function locality(region: string, fields: object): object {
  return { locality: { region }, load_balancing_weight: 1, ...fields };
}

function lbEndpoint(port: number, fields: object = {}): object {
  return { endpoint: { address: { socket_address: { address: '127.0.0.1', port_value: port } } }, ...fields };
}

describe('the model of a resource in grpc-js-xds', () => {
  it('keeps localities of weight 0, and skips unhealthy and draining endpoints and empty priorities', () => {
    const endpoints = [
      locality('a', { lb_endpoints: [lbEndpoint(1, { health_status: 'DRAINING' })] }),
      locality('b', { priority: 1, load_balancing_weight: 0, lb_endpoints: [lbEndpoint(2), lbEndpoint(3)] }),
      locality('c', { priority: 1, load_balancing_weight: undefined, lb_endpoints: [lbEndpoint(4)] }),
    ];
    const policy = {
      drop_overloads: [
        { category: 'none' },
        { category: 'some', drop_percentage: { numerator: 5, denominator: 'TEN_THOUSAND' } },
      ],
    };
    const json = JSON.parse(JSON.stringify({ cluster_name: 'foo', endpoints, policy })) as object;
    const { value, ignored } = accepted(encoded('EDS', json));
    expect(value).toMatchObject({
      priorities: [[{ name: { region: 'b' }, weight: 0, endpoints: [{ port: 2 }, { port: 3 }] }]],
      drops: [{ category: 'some', perMillion: 500 }],
    });
    expect(ignored).toEqual(['endpoint endpoints[0].lb_endpoints[0]', 'locality endpoints[2]']);
  });

  it('has only the filters that grpc-js-xds supports, and idle_timeout as the limit of an RPC', () => {
    const optional = { '@type': `${T}.extensions.filters.http.stateful_session.v3.StatefulSession` };
    const { value, ignored } = accepted(
      listener({
        rds: { config_source: { ads: {} }, route_config_name: 'r' },
        http_filters: [
          { name: 'session', is_optional: true, typed_config: optional },
          { ...ROUTER, disabled: true },
        ],
        common_http_protocol_options: { idle_timeout: '2.5s', max_stream_duration: '9s' },
      }),
    );
    expect(value).toMatchObject({
      kind: 'client',
      connectionManager: { maxStreamDurationMs: 2500, filters: [{ name: 'router', disabled: false }] },
    });
    expect(ignored).toEqual(['HTTP filter api_listener.api_listener.http_filters[0]']);
  });

  it.each([
    [{ lb_policy: 'ROUND_ROBIN' }, { xds_wrr_locality_experimental: { childPolicy: [{ round_robin: {} }] } }],
    [
      { lb_policy: 'RING_HASH', ring_hash_lb_config: { minimum_ring_size: '7' } },
      { ring_hash_experimental: { minRingSize: 7, maxRingSize: 8_388_608 } },
    ],
    [
      {
        load_balancing_policy: {
          policies: ['least_request.v3.LeastRequest', 'round_robin.v3.RoundRobin'].map((name) => ({
            typed_extension_config: { typed_config: { '@type': `${T}.extensions.load_balancing_policies.${name}` } },
          })),
        },
      },
      { round_robin: {} },
    ],
  ])('has the LB policy of %j', (fields, lbPolicy) => {
    expect(accepted(encoded('CDS', { ...EDS, ...fields })).value).toMatchObject({ lbPolicy });
  });

  it('has the last limit of the default priority', () => {
    const thresholds = [{ max_requests: 1 }, { priority: 'HIGH', max_requests: 2 }, { max_requests: 3 }];
    const { value } = accepted(encoded('CDS', { ...EDS, circuit_breakers: { thresholds } }));
    expect(value).toMatchObject({ maxConcurrentRequests: 3 });
  });

  it('uses a route with query_parameters, which C-core skips', () => {
    const match = { prefix: '/a/', query_parameters: [{ name: 'q' }] };
    const virtual_hosts = [{ name: 'h', domains: ['*'], routes: [{ match, route: { cluster: 'c' } }] }];
    const { value, ignored } = accepted(encoded('RDS', { name: 'foo', virtual_hosts }));
    expect(value).toMatchObject({ virtualHosts: [{ routes: [{ match: { path: { text: '/a/' } } }] }] });
    expect(ignored).toEqual([]);
  });

  it('has an empty address for a server listener without one', () => {
    const manager = {
      '@type': LISTENER_MANAGER,
      rds: { config_source: { ads: {} } },
      http_filters: [ROUTER],
    };
    const { value } = accepted(
      encoded('LDS', { filter_chains: [{ filters: [{ name: 'm', typed_config: manager }] }] }),
    );
    expect(value).toMatchObject({ kind: 'server', address: '' });
  });

  it('is read from bytes that C-core cannot decode', () => {
    const cluster = encoded('CDS', EDS);
    const invalidUtf8 = bytesField(28, new Uint8Array([0xff]));
    // A text of five bytes of which there is one.
    const cutOff = bytesField(28, writeUtf8('aaaaa')).slice(0, -4);
    for (const more of [invalidUtf8, cutOff]) {
      const value = new Uint8Array([...cluster.value, ...more]);
      expect(accepted({ ...cluster, value }).value).toMatchObject({ discovery: { kind: 'eds' } });
    }
  });
});

import { createRequire } from 'node:module';
import { Problems } from '../../src/base/problem.ts';
import { DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.ts';
import { xdsCatalogue } from '../../src/proto/json/catalogue.ts';
import { parseMessage } from '../../src/proto/json/parse.ts';
import { decode } from '../../src/proto/message-type.ts';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.ts';
import { type ResourceContext, readResourceSwitches } from '../../src/resources/context.ts';
import { RESOURCE_VALIDATORS, type Validator } from '../../src/resources/registry.ts';
import { validateResponse } from '../../src/resources/validate-response.ts';
import { ValidationCache } from '../../src/resources/validation-cache.ts';
import type { Figure } from './measure.ts';
import { inTurns } from './measure.ts';
import type { Amount } from './page/value.ts';

const require = createRequire(import.meta.url);
const COUNT = 10_000;
const RUNS = 15;
const PEER = '@grpc/grpc-js-xds';

const CONTEXT: ResourceContext = {
  switches: readResourceSwitches({}, true),
  certificateProviders: new Set(['default']),
  trustedServer: false,
  allowedGrpcServices: new Set(),
  interfaces: new Map(),
};

/** A cluster of a mesh with mutual TLS: gRPC ignores half of its fields. */
function cluster(i: number): object {
  return {
    name: `outbound|8080||service-${i}.shop.svc.cluster.local`,
    type: 'EDS',
    eds_cluster_config: {
      service_name: `outbound|8080||service-${i}.shop.svc.cluster.local`,
      eds_config: { ads: {}, initial_fetch_timeout: '0s', resource_api_version: 'V3' },
    },
    connect_timeout: '10s',
    lb_policy: 'ROUND_ROBIN',
    circuit_breakers: {
      thresholds: [
        {
          max_connections: 4294967295,
          max_pending_requests: 4294967295,
          max_requests: 4294967295,
          max_retries: 4294967295,
          track_remaining: true,
        },
      ],
    },
    common_lb_config: { locality_weighted_lb_config: {} },
    alt_stat_name: `outbound|8080||service-${i}.shop.svc.cluster.local;`,
    upstream_connection_options: {
      tcp_keepalive: { keepalive_probes: 3, keepalive_time: 300, keepalive_interval: 30 },
    },
    typed_extension_protocol_options: {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
        '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
        explicit_http_config: { http2_protocol_options: { max_concurrent_streams: 1073741824 } },
      },
    },
    outlier_detection: { consecutive_5xx: 5, interval: '5s', base_ejection_time: '30s', max_ejection_percent: 10 },
    transport_socket: {
      name: 'envoy.transport_sockets.tls',
      typed_config: {
        '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
        common_tls_context: {
          tls_certificate_provider_instance: { instance_name: 'default', certificate_name: 'default' },
          validation_context: {
            ca_certificate_provider_instance: { instance_name: 'default', certificate_name: 'ROOTCA' },
            match_subject_alt_names: [{ exact: `spiffe://cluster.local/ns/shop/sa/service-${i}` }],
          },
        },
        sni: `outbound_.8080_._.service-${i}.shop.svc.cluster.local`,
      },
    },
    metadata: {
      filter_metadata: {
        istio: {
          config: '/apis/networking.istio.io/v1/namespaces/shop/destination-rule/default',
          services: [{ name: `service-${i}`, namespace: 'shop', host: `service-${i}.shop.svc.cluster.local` }],
        },
      },
    },
  };
}

function assignment(i: number, endpoints = 10): object {
  return {
    cluster_name: `outbound|8080||service-${i}.shop.svc.cluster.local`,
    endpoints: [
      {
        locality: { region: 'eu-west-1', zone: 'eu-west-1a' },
        load_balancing_weight: 10,
        lb_endpoints: Array.from({ length: endpoints }, (_, j) => ({
          endpoint: {
            address: {
              socket_address: { address: `10.${(j >> 16) & 255}.${(j >> 8) & 255}.${j & 255}`, port_value: 8080 },
            },
          },
          health_status: 'HEALTHY',
          load_balancing_weight: 1,
          metadata: {
            filter_metadata: {
              'envoy.transport_socket_match': { tlsMode: 'istio' },
              istio: { workload: `service-${i}-7d9c6f5b8-x2x${j};shop;service-${i};v1;cluster-1` },
            },
          },
        })),
      },
    ],
  };
}

function routes(count: number): object {
  return {
    name: 'routes',
    virtual_hosts: [
      {
        domains: ['*'],
        routes: Array.from({ length: count }, (_, i) => ({
          match: { prefix: `/package.Service${i}/`, headers: [{ name: 'env', string_match: { exact: 'prod' } }] },
          route: { cluster: `cluster-${i}`, max_stream_duration: { max_stream_duration: '30s' } },
        })),
      },
    ],
  };
}

function encode(type: keyof typeof RESOURCE_TYPES, json: object): Uint8Array {
  const problems = new Problems();
  const name = RESOURCE_TYPES[type].split('/')[1] as string;
  const bytes = parseMessage(xdsCatalogue, name, json, problems);
  if (bytes === undefined) throw new Error(problems.list[0]?.message);
  // grpc-js delivers messages as Buffers.
  return Buffer.from(bytes);
}

/** Validates the resources one by one and discards the results, as the peer does. */
function validateAll(type: keyof typeof RESOURCE_TYPES, resources: readonly Uint8Array[]): void {
  const validate = RESOURCE_VALIDATORS.get(RESOURCE_TYPES[type].split('/')[1] as string) as Validator;
  for (const bytes of resources) {
    const validation = validate(bytes, CONTEXT);
    if (validation.kind !== 'validated' || !validation.result.ok) throw new Error('a valid resource was rejected');
  }
}

/** An encoded DiscoveryResponse. */
function responseBytes(type: 'CDS' | 'EDS', resources: readonly Uint8Array[]): Uint8Array {
  const any = (bytes: Uint8Array): object => ({
    '@type': RESOURCE_TYPES[type],
    '@value': Buffer.from(bytes).toString('base64'),
  });
  const json = { type_url: RESOURCE_TYPES[type], resources: resources.map(any) };
  return Buffer.from(parseMessage(xdsCatalogue, DiscoveryResponse.typeName, json, new Problems()) as Uint8Array);
}

/** Decodes and validates a response. */
function receive(bytes: Uint8Array, cache: ValidationCache): void {
  const response = decode(DiscoveryResponse, bytes);
  if (!response.ok || validateResponse(response.value, CONTEXT, cache).verdict !== 'ACK')
    throw new Error('a valid response was rejected');
}

interface PeerType {
  /** Everything that the peer does with a received resource. */
  decode(context: object, resource: { type_url: string; value: Uint8Array }): { error?: string };
  validateResource(...args: unknown[]): { valid: boolean; errors?: string[] };
}

interface Peer {
  /** Decodes with the peer's own options, and validates. */
  validate(resources: readonly Uint8Array[]): void;
  /** Does everything that the peer does with a received resource, changed or not. */
  handle(resources: readonly Uint8Array[]): void;
}

function peerFor(type: 'CDS' | 'EDS'): Peer {
  const base = `${PEER}/build/src`;
  require(base).register();
  const { decodeSingleResource } = require(`${base}/resources`) as {
    decodeSingleResource(typeUrl: string, bytes: Uint8Array): unknown;
  };
  const file = type === 'CDS' ? 'cluster' : 'endpoint';
  const types = require(`${base}/xds-resource-type/${file}-resource-type`) as Record<string, { get(): PeerType }>;
  const kind = (types[type === 'CDS' ? 'ClusterResourceType' : 'EndpointResourceType'] as { get(): PeerType }).get();
  const context = { server: { serverFeatures: [] }, bootstrap: { certificateProviders: { default: {} } } };
  const typeUrl = RESOURCE_TYPES[type];
  return {
    validate: (resources) => {
      for (const bytes of resources) {
        const message = decodeSingleResource(typeUrl, bytes);
        const result = type === 'CDS' ? kind.validateResource(context, message) : kind.validateResource(message);
        if (result === null || (typeof result === 'object' && result.valid === false)) {
          throw new Error(`the peer rejects the resource: ${result?.errors}`);
        }
      }
    },
    handle: (resources) => {
      for (const value of resources) {
        const { error } = kind.decode(context, { type_url: typeUrl, value });
        if (error !== undefined) throw new Error(`the peer rejects the resource: ${error}`);
      }
    },
  };
}

/** Decoding and validation, compared with the only other implementation for Node, and growth with the size of a resource. */
function figures(): Figure[] {
  const clusters = Array.from({ length: COUNT }, (_, i) => encode('CDS', cluster(i)));
  const assignments = Array.from({ length: COUNT }, (_, i) => encode('EDS', assignment(i)));
  return [
    ...againstPeer('CDS', 'cluster', clusters),
    ...againstPeer('EDS', 'load assignment', assignments),
    ...growth(),
  ];
}

function againstPeer(type: 'CDS' | 'EDS', what: string, bytes: readonly Uint8Array[]): Figure[] {
  const peer = peerFor(type);
  const each = (ms: number): Amount => ({ unit: 'ms', median: ms / COUNT });
  const compare = (title: string, goal: number, ours: () => void, theirs: () => void): Figure => {
    const [time = 0, peers = 1] = inTurns([ours, theirs], RUNS);
    return {
      what: `${title} ${what}`,
      value: each(time),
      ratio: time / peers,
      peer: `\`${PEER}\``,
      peerValue: each(peers),
      goal,
      runs: RUNS,
    };
  };
  const validated = compare(
    'decode and validate a',
    1 / 5,
    () => validateAll(type, bytes),
    () => peer.validate(bytes),
  );
  const cache = new ValidationCache(() => true);
  receive(responseBytes(type, bytes), cache);
  const again = responseBytes(type, bytes);
  return [
    validated,
    compare(
      'receive an unchanged',
      1 / 30,
      () => receive(again, cache),
      () => peer.handle(bytes),
    ),
  ];
}

/** Ten times the size should take ten times the time: compares one resource with ten of a tenth the size. */
function growth(): Figure[] {
  const cases: [string, 'RDS' | 'EDS', (size: number) => object, number][] = [
    ['10,000 routes in one resource', 'RDS', routes, 10_000],
    ['100,000 endpoints in one resource', 'EDS', (size) => assignment(0, size), 100_000],
  ];
  return cases.map(([what, type, make, size]) => {
    const whole = encode(type, make(size));
    const tenth = encode(type, make(size / 10));
    const [big = 0, small = 1] = inTurns(
      [
        () => validateAll(type, [whole]),
        () =>
          validateAll(
            type,
            Array.from({ length: 10 }, () => tenth),
          ),
      ],
      RUNS,
    );
    return {
      what: `decode and validate ${what}`,
      value: { unit: 'ms', median: big },
      ratio: big / small,
      peer: 'ten of a tenth the size',
      peerValue: { unit: 'ms', median: small },
      goal: 2,
      runs: RUNS,
    };
  });
}

process.stdout.write(JSON.stringify(figures()));

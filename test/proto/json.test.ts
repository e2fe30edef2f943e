import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, toBase64 } from '../../src/base/base64.js';
import { formatPath, Problems } from '../../src/base/problem.js';
import { catalogueSize, xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny, parseMessage } from '../../src/proto/json/parse.js';
import { printAny } from '../../src/proto/json/print.js';

const T = 'type.googleapis.com/';
const CLUSTER = `${T}envoy.config.cluster.v3.Cluster`;

function bytesOf(json: unknown): Uint8Array {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, json, problems);
  if (any === undefined) throw new Error(JSON.stringify(problems.list));
  return any.value;
}

/** Encodes JSON and prints the bytes. */
function roundTrip(json: { '@type': string }): unknown {
  return printAny(xdsCatalogue, json['@type'], bytesOf(json));
}

function problemsOf(json: unknown): string[] {
  const problems = new Problems();
  expect(parseAny(xdsCatalogue, json, problems)).toBeUndefined();
  return problems.list.map((p) => `${formatPath(p.path)}: ${p.message}`);
}

const hex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

describe('xdsCatalogue', () => {
  it('describes the whole v3 API and the newer messages that gRPC reads', () => {
    expect(catalogueSize).toBeGreaterThan(1100);
    const status = xdsCatalogue.enumType('envoy.admin.v3.ClientResourceStatus');
    expect([status?.byName.get('RECEIVED_ERROR'), status?.byName.get('TIMEOUT')]).toEqual([5, 6]);
    expect(xdsCatalogue.message('envoy.service.status.v3.ClientConfig')?.byName.get('client_scope')?.number).toBe(4);
    expect(
      xdsCatalogue.message('envoy.service.discovery.v3.DiscoveryResponse')?.byName.get('resource_errors')?.number,
    ).toBe(7);
    expect(xdsCatalogue.message('grpc.lookup.v1.RouteLookupConfig')?.byName.get('lookup_service')?.number).toBe(3);
    expect(xdsCatalogue.message('envoy.api.v2.Cluster')).toBeUndefined();
    expect(xdsCatalogue.enumType('envoy.config.cluster.v3.Cluster')).toBeUndefined();
  });
});

describe('parseAny and printAny preserve', () => {
  const same: { title: string; json: { '@type': string; [key: string]: unknown } }[] = [
    {
      title: 'signed numbers',
      json: { '@type': `${T}google.api.expr.v1alpha1.Constant`, int64Value: '-9223372036854775808' },
    },
    { title: 'an empty list', json: { '@type': `${T}google.protobuf.ListValue`, value: [] } },

    {
      title: 'scalars, enums, nested messages',
      json: {
        '@type': CLUSTER,
        name: 'a',
        type: 'EDS',
        edsClusterConfig: { serviceName: 's', edsConfig: { ads: {} } },
      },
    },
    {
      title: 'the presence of wrappers',
      json: {
        '@type': CLUSTER,
        perConnectionBufferLimitBytes: 0,
        upstreamConnectionOptions: { tcpKeepalive: { keepaliveProbes: 3 } },
      },
    },
    {
      title: 'durations',
      json: { '@type': CLUSTER, connectTimeout: '0.250s', cleanupInterval: '-1.000001s', dnsRefreshRate: '3s' },
    },
    { title: 'a set but empty duration', json: { '@type': CLUSTER, connectTimeout: '0s' } },
    { title: 'a duration out of range', json: { '@type': CLUSTER, connectTimeout: { seconds: '1', nanos: -1 } } },
    {
      title: 'timestamps',
      json: { '@type': `${T}envoy.admin.v3.UpdateFailureState`, lastUpdateAttempt: '2026-02-28T23:59:59.000000001Z' },
    },
    {
      title: 'a timestamp before 1970',
      json: { '@type': `${T}envoy.admin.v3.UpdateFailureState`, lastUpdateAttempt: '0001-01-01T00:00:00.500Z' },
    },
    {
      title: 'structs with every kind of value',
      json: {
        '@type': CLUSTER,
        metadata: { filterMetadata: { f: { s: 't', n: 1.5, b: true, z: null, l: [1, 'x', []], o: {} } } },
      },
    },
    {
      title: 'an Any in an Any',
      json: {
        '@type': CLUSTER,
        transportSocket: {
          name: 'tls',
          typedConfig: { '@type': `${T}envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext`, sni: 'x' },
        },
      },
    },
    { title: 'an Any with a well-known type', json: { '@type': `${T}google.protobuf.Duration`, value: '1s' } },
    { title: 'an empty Any', json: { '@type': CLUSTER, metadata: { typedFilterMetadata: { k: {} } } } },
    {
      title: 'an Any of an unknown type',
      json: {
        '@type': CLUSTER,
        metadata: { typedFilterMetadata: { k: { '@type': 'x/y.Z', '@error': 'type not known', '@value': 'AQI=' } } },
      },
    },
    {
      title: '64-bit numbers beyond a double',
      json: {
        '@type': `${T}envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash`,
        minimumRingSize: '18446744073709551615',
      },
    },
    {
      title: 'packed lists',
      json: { '@type': `${T}envoy.config.listener.v3.FilterChainMatch`, sourcePorts: [1, 0, 4294967295] },
    },
    {
      title: 'lists of enums, zero included',
      json: { '@type': `${T}envoy.config.core.v3.HealthStatusSet`, statuses: ['UNKNOWN', 'HEALTHY', 77] },
    },
    { title: 'enum numbers without a name', json: { '@type': CLUSTER, lbPolicy: 77 } },
    {
      title: 'a oneof set to its default',
      json: { '@type': `${T}envoy.config.core.v3.SocketAddress`, address: 'h', portValue: 0 },
    },
    {
      title: 'maps',
      json: {
        '@type': `${T}envoy.config.rbac.v3.RBAC`,
        policies: { a: { permissions: [{ any: true }] }, __proto__x: {} },
      },
    },
    {
      title: 'floats',
      json: {
        '@type': `${T}envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin`,
        errorUtilizationPenalty: 0.1,
      },
    },
    {
      title: 'infinite doubles and NaN',
      json: { '@type': `${T}envoy.type.v3.DoubleRange`, start: '-Infinity', end: 'NaN' },
    },
    {
      title: 'signed and fixed numbers',
      json: { '@type': `${T}google.api.expr.v1alpha1.Constant`, int64Value: '-9223372036854775808' },
    },
    { title: 'an empty list and an empty struct', json: { '@type': `${T}google.protobuf.ListValue`, value: [] } },
    { title: 'field masks', json: { '@type': `${T}google.protobuf.FieldMask`, value: 'aB.cD,e' } },
    {
      title: 'unknown fields of every wire type',
      json: {
        '@type': CLUSTER,
        name: 'a',
        '@unknown': [
          { field: 5000, varint: '18446744073709551615' },
          { field: 5001, fixed64: '1' },
          { field: 5002, bytes: 'AA==' },
          { field: 5003, fixed32: 7 },
        ],
      },
    },
  ];
  for (const { title, json } of same) {
    it(title, () => expect(roundTrip(json)).toEqual(json));
  }

  it('fields that are named as in the .proto file', () => {
    expect(
      roundTrip({ '@type': CLUSTER, eds_cluster_config: { service_name: 's' }, lb_policy: 1, name: null } as never),
    ).toEqual({
      '@type': CLUSTER,
      edsClusterConfig: { serviceName: 's' },
      lbPolicy: 'LEAST_REQUEST',
    });
  });
});

describe('printAny', () => {
  const cases: { title: string; hex: string; want: object; type?: string }[] = [
    {
      title: 'prints a duration out of range as seconds and nanos',
      hex: '220c08ffffffffffffffff7f1005',
      want: { connectTimeout: { seconds: '9223372036854775807', nanos: 5 } },
    },
    {
      title: 'prints a struct value without a kind as an empty mapping',
      hex: 'ca010b0a090a01661204' + '0a020a00',
      want: { metadata: { filterMetadata: { f: { '': {} } } } },
    },

    {
      title: 'merges a repeated submessage',
      hex: '1a0412027331' + '1a0412027332' + '1a040a021a00',
      want: { edsClusterConfig: { serviceName: 's2', edsConfig: { ads: {} } } },
    },
    {
      title: 'keeps the last member of a oneof',
      hex: '0a0161' + '1003' + 'b20203' + '0a0178',
      want: { name: 'a', clusterType: { name: 'x' } },
    },
    {
      title: 'prints a field of the wrong wire type as unknown',
      hex: '0805',
      want: { '@unknown': [{ field: 1, varint: '5' }] },
    },
    {
      title: 'prints a group as unknown',
      hex: '83f102' + '0801' + '84f102',
      want: { '@unknown': [{ field: 5904, group: 'CAGE8QI=' }] },
    },
    {
      title: 'prints the bytes of a message that it cannot decode',
      hex: '0a01ff',
      want: { '@error': 'invalid UTF-8 in a string at byte 2', '@value': 'CgH/' },
    },
  ];
  for (const c of cases)
    it(c.title, () => expect(printAny(xdsCatalogue, CLUSTER, hex(c.hex))).toEqual({ '@type': CLUSTER, ...c.want }));

  it('limits the depth to avoid a stack overflow', () => {
    let any: unknown = { '@type': CLUSTER, name: 'innermost' };
    for (let i = 0; i < 40; i++) any = { '@type': CLUSTER, metadata: { typedFilterMetadata: { k: any } } };
    expect(JSON.stringify(roundTrip(any as never))).toContain('innermost');
    const url = `${T}google.protobuf.Any`;
    let value = hex('0a0161');
    for (let i = 0; i < 400; i++) value = wrap(url, value);
    expect(JSON.stringify(printAny(xdsCatalogue, url, value))).toContain('nested too deeply to show');
  });
});

/** Encodes an Any. */
function wrap(typeUrl: string, value: Uint8Array): Uint8Array {
  const header = new TextEncoder().encode(typeUrl);
  const length =
    value.length < 128
      ? [value.length]
      : [(value.length & 127) | 128, ((value.length >> 7) & 127) | 128, value.length >> 14];
  return Uint8Array.from([10, header.length, ...header, 18, ...length, ...value]);
}

describe('parseAny reports', () => {
  const cases: { title: string; json: unknown; want: string[] }[] = [
    {
      title: 'an invalid struct',
      json: { '@type': `${T}envoy.config.core.v3.Node`, metadata: 5 },
      want: ['metadata: expected a mapping, got 5'],
    },
    {
      title: 'a field mask that is a list',
      json: { '@type': `${T}google.protobuf.FieldMask`, value: [] },
      want: ['value: expected comma-separated paths, got a list'],
    },
    {
      title: 'an invalid float',
      json: { '@type': `${T}envoy.type.v3.DoubleRange`, start: 'x' },
      want: ['start: expected a number, got "x"'],
    },
    {
      title: 'an invalid boolean',
      json: { '@type': `${T}envoy.config.route.v3.FilterConfig`, disabled: 'yes' },
      want: ['disabled: expected true or false, got "yes"'],
    },
    {
      title: 'an invalid list',
      json: { '@type': CLUSTER, healthChecks: {} },
      want: ['healthChecks: expected a list, got a mapping'],
    },
    {
      title: 'bytes of an Any that are not base64',
      json: { '@type': CLUSTER, '@value': '*' },
      want: ['@value: expected base64'],
    },
    {
      title: 'a month that does not exist',
      json: { '@type': `${T}envoy.admin.v3.UpdateFailureState`, lastUpdateAttempt: '2026-13-01T00:00:00Z' },
      want: ['lastUpdateAttempt: expected a time such as "2026-01-31T12:00:00Z", got "2026-13-01T00:00:00Z"'],
    },
    {
      title: 'a duration of more than 10,000 years',
      json: { '@type': CLUSTER, connectTimeout: '315576000001s' },
      want: ['connectTimeout: expected a duration such as "1.5s", got "315576000001s"'],
    },

    { title: 'a missing type', json: { name: 'a' }, want: [': "@type" with the type URL is missing'] },
    { title: 'a number instead of a mapping', json: 5, want: [': expected a mapping with "@type", got 5'] },
    {
      title: 'several problems at once',
      json: {
        '@type': CLUSTER,
        nam: 1,
        name: 2,
        edsClusterConfig: [],
        lbPolicy: 'ROUND',
        connectTimeout: '1',
        type: true,
      },
      want: [
        'nam: unknown field in envoy.config.cluster.v3.Cluster (did you mean "name"?)',
        'lbPolicy: "ROUND" is not a value of envoy.config.cluster.v3.Cluster.LbPolicy: expected ROUND_ROBIN, LEAST_REQUEST, RING_HASH, RANDOM, MAGLEV, CLUSTER_PROVIDED, LOAD_BALANCING_POLICY_CONFIG',
        'connectTimeout: expected a duration such as "1.5s", got "1"',
        'edsClusterConfig: expected a mapping (envoy.config.cluster.v3.Cluster.EdsClusterConfig), got a list',
        'type: true is not a value of envoy.config.cluster.v3.Cluster.DiscoveryType: expected STATIC, STRICT_DNS, LOGICAL_DNS, EDS, ORIGINAL_DST',
        'name: expected a string, got 2: put it in quotes',
      ],
    },
    {
      title: 'a number out of range',
      json: { '@type': `${T}envoy.config.core.v3.SocketAddress`, portValue: 2 ** 32 },
      want: ['portValue: 4294967296 does not fit uint32 (0 to 4294967295)'],
    },
    {
      title: 'a fraction for an integer',
      json: { '@type': `${T}envoy.config.core.v3.SocketAddress`, portValue: 1.5 },
      want: ['portValue: expected an integer, got 1.5'],
    },
    {
      title: 'two members of a oneof',
      json: { '@type': CLUSTER, type: 'EDS', cluster_type: {} },
      want: ['cluster_type: cannot be set together with "type"'],
    },
    {
      title: 'a field with both of its names',
      json: { '@type': CLUSTER, lb_policy: 0, lbPolicy: 0 },
      want: ['lbPolicy: cannot be set together with "lb_policy"'],
    },
    {
      title: 'bytes that are not base64',
      json: { '@type': `${T}envoy.config.core.v3.HeaderValue`, rawValue: '*' },
      want: ['rawValue: expected base64, got "*"'],
    },
    {
      title: 'an invalid unknown field',
      json: { '@type': CLUSTER, '@unknown': [{ field: 0, varint: 1 }] },
      want: ['@unknown: expected a list of {"field": number, "varint" | "fixed32" | "fixed64" | "bytes": value}'],
    },
    {
      title: 'a date that does not exist',
      json: { '@type': `${T}envoy.admin.v3.UpdateFailureState`, lastUpdateAttempt: '2026-02-30T00:00:00Z' },
      want: ['lastUpdateAttempt: expected a time such as "2026-01-31T12:00:00Z", got "2026-02-30T00:00:00Z"'],
    },
  ];
  for (const { title, json, want } of cases) it(title, () => expect(problemsOf(json)).toEqual(want));

  it('an unknown message type', () => {
    const problems = new Problems();
    expect(parseMessage(xdsCatalogue, 'x.Y', {}, problems)).toBeUndefined();
    expect(problems.list).toEqual([{ path: [], message: 'unknown message type x.Y' }]);
  });
});

describe('random bytes', () => {
  it('print to JSON that encodes to the same output', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom('Cluster', 'x'), (bytes, type) => {
        const url = type === 'x' ? 'a/b' : CLUSTER;
        const printed = printAny(xdsCatalogue, url, bytes) as { '@type': string };
        const problems = new Problems();
        const back = parseAny(xdsCatalogue, printed, problems);
        expect(problems.list).toEqual([]);
        expect(printAny(xdsCatalogue, url, back?.value ?? bytes)).toEqual(printed);
      }),
      { numRuns: 2000 },
    );
  });

  it('are preserved by base64 in both alphabets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
        const text = toBase64(bytes);
        expect(fromBase64(text)).toEqual(bytes);
        expect(fromBase64(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))).toEqual(bytes);
      }),
      { numRuns: 200 },
    );
    expect(fromBase64('a')).toBeUndefined();
    expect(fromBase64('a*bc')).toBeUndefined();
  });
});

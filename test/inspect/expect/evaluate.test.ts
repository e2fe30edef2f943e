import { describe, expect, it } from 'vitest';
import { statusCode } from '../../../src/base/status.js';
import type { ProtocolFinding } from '../../../src/findings/finding.js';
import { json } from '../../deps/follow.js';
import { Plane } from '../../deps/plane.js';
import { evaluated, observationOf } from './observe.js';

const endpoint = (port: number, health_status = 'UNKNOWN') => ({
  health_status,
  endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: port } } },
});

const ROUTER = { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' };

/** A control plane with resources in many states, after all responses. */
function everything(): Plane {
  const plane = new Plane();
  plane.server.set('LDS', 'l', json.listener('r', { common_http_protocol_options: { max_stream_duration: '9s' } }));
  plane.server.set('RDS', 'r', {
    name: 'r',
    virtual_hosts: [
      {
        name: 'main',
        domains: ['*', 'x.example'],
        routes: [
          { match: { path: '/a.B/Denied' }, route: { cluster: 'denied' } },
          {
            match: { prefix: '/a.B/', headers: [{ name: 'env', string_match: { exact: 'canary' } }] },
            route: { cluster: 'canary', max_stream_duration: { max_stream_duration: '1.5s' } },
          },
          {
            match: { prefix: '/w.W/' },
            route: {
              weighted_clusters: {
                clusters: [
                  { name: 'blue', weight: 90 },
                  { name: 'canary', weight: 10 },
                ],
              },
            },
          },
          {
            match: { path: '/h.H/Half' },
            route: {
              weighted_clusters: {
                clusters: [
                  { name: 'blue', weight: 99 },
                  { name: 'denied', weight: 1 },
                ],
              },
            },
          },
          {
            match: { path: '/s.S/Shared' },
            route: {
              weighted_clusters: {
                clusters: [
                  { name: 'blue', weight: 1 },
                  { name: 'solo', weight: 1 },
                ],
              },
            },
          },
          { match: { prefix: '/' }, route: { cluster: 'blue' } },
        ],
      },
      {
        name: 'other',
        domains: ['other'],
        request_headers_to_add: [{ header: { key: 'authorization', value: 'Bearer hush' } }],
      },
    ],
  });
  plane.server.set('CDS', 'blue', {
    ...json.eds('blue'),
    metadata: { filter_metadata: { 'envoy.lb': { tier: 'gold' } } },
  });
  plane.server.set('CDS', 'canary', json.eds('canary')).set('CDS', 'solo', json.eds('solo', 'canary'));
  plane.server.reportError('CDS', 'denied', { code: statusCode('PERMISSION_DENIED'), message: 'not for "n"' });
  plane.server.set('EDS', 'blue', {
    cluster_name: 'blue',
    endpoints: [
      {
        locality: { region: 'r' },
        load_balancing_weight: 1,
        lb_endpoints: [
          endpoint(1),
          endpoint(2, 'HEALTHY'),
          endpoint(3, 'DRAINING'),
          endpoint(4, 'UNHEALTHY'),
          endpoint(5, 'TIMEOUT'),
        ],
      },
      { locality: { region: 'without weight' }, lb_endpoints: [endpoint(6)] },
    ],
  });
  plane.server.set('EDS', 'canary', json.endpoints('canary'));
  plane.follow();
  plane.pass(500);
  return plane;
}

/** Observed again for each test, so that no test depends on a value from the time when the file was loaded. */
const seen = () => observationOf(everything());

describe('the evaluation of', () => {
  it.each<[text: string, ok: boolean, actual: string]>([
    // The route /a.B/Denied fails.
    ['verdict: partly', true, 'partly'],
    ['verdict: ok', false, 'partly'],
    ['verdict: fails', false, 'partly'],
    ['ready: true', false, 'partly'],
    ['ready: false', false, 'partly'],
    ['settled_within: 100ms', true, 'settled after 100 ms'],
    ['settled_within: 99ms', false, 'settled after 100 ms'],
    ['never: [NACKED]', true, 'none was NACKED in 600 ms'],
    ['never: [RECEIVED_ERROR]', false, 'CDS denied was RECEIVED_ERROR: PERMISSION_DENIED: not for "n"'],
    ['resources: { LDS/l: ACKED }', true, 'ACKED'],
    ['resources: { CDS/denied: ACKED }', false, 'RECEIVED_ERROR, PERMISSION_DENIED: not for "n"'],
    ['resources: { CDS/blu: ACKED }', false, 'not requested: no resource names it (did you mean "CDS/blue"?)'],
    ['resources: { LDS/l: { version: "1" } }', true, '"1"'],
    ['resources: { LDS/l: { version: "2" } }', false, '"1"'],
    ['resources: { CDS/denied: { version: "2" } }', false, 'no version is in use: RECEIVED_ERROR'],
    ['resources: { CDS/denied: { error: PERMISSION_DENIED } }', true, 'RECEIVED_ERROR, PERMISSION_DENIED'],
    ['resources: { CDS/denied: { error: NOT_FOUND } }', false, 'RECEIVED_ERROR, PERMISSION_DENIED'],
    ['resources: { CDS/denied: { error: { message: { matches: ^not } } } }', true, 'not for "n"'],
    ['resources: { CDS/denied: { error: { code: PERMISSION_DENIED, message: other } } }', false, 'not for "n"'],
    ['resources: { CDS/denied: { status: DOES_NOT_EXIST, error: PERMISSION_DENIED } }', false, 'RECEIVED_ERROR'],
    ['resources: { CDS/blue: { error: PERMISSION_DENIED } }', false, 'ACKED'],
    ['resources: { EDS/blue: { endpoints: { healthy: 2 } } }', true, '2 (2 healthy, 1 draining, 2 unhealthy, 6 total)'],
    ['resources: { EDS/blue: { endpoints: { healthy: ">2" } } }', false, '2 (2 healthy'],
    ['resources: { EDS/blue: { endpoints: { draining: 1 } } }', true, '1 (2 healthy'],
    ['resources: { EDS/blue: { endpoints: { unhealthy: "<2" } } }', false, '2 (2 healthy'],
    ['resources: { EDS/blue: { endpoints: { total: "<=6" } } }', true, '6 (2 healthy'],
    ['resources: { EDS/nobody: { endpoints: { total: 0 } } }', false, 'not requested: no resource names it'],
  ])('%s: %s', (text, ok, actual) => {
    const verdicts = evaluated(text, seen());
    const last = verdicts.at(-1);
    expect(last).toMatchObject({ ok, actual: expect.stringContaining(actual) });
  });

  it.each<[resource: string, path: string, wanted: string, ok: boolean, actual: string]>([
    ['RDS/r', 'virtual_hosts[0].routes[5].route.cluster', 'blue', true, '"blue"'],
    ['RDS/r', 'virtualHosts[0].routes[5].route.cluster', 'red', false, '"blue"'],
    ['RDS/r', 'virtual_hosts[name=main].name', 'main', true, '"main"'],
    [
      'RDS/r',
      'virtual_hosts[name=mian].name',
      'main',
      false,
      'virtual_hosts: no element has name=mian (did you mean "main"?)',
    ],
    [
      'RDS/r',
      'virtual_hosts[name=zzz].name',
      'main',
      false,
      'virtual_hosts: no element has name=zzz: there are main, other',
    ],
    ['RDS/r', 'virtual_hosts[7].name', 'main', false, 'virtual_hosts: it has 2 elements, and no [7]'],
    ['RDS/r', 'virtual_hosts', '{ count: 2 }', true, '2 elements'],
    ['RDS/r', 'virtual_hosts', '{ count: ">2" }', false, '2 elements'],
    ['RDS/r', 'virtual_hosts[0].domains', '{ contains: x.example }', true, '["*","x.example"]'],
    ['RDS/r', 'virtual_hosts[0].domains', '{ contains: y.example }', false, '["*","x.example"]'],
    ['RDS/r', 'virtual_hosts[0].domains', '["*", x.example]', true, '["*","x.example"]'],
    ['RDS/r', 'virtual_hosts[0].domains', '[x.example, "*"]', false, '["*","x.example"]'],
    ['RDS/r', 'virtual_hosts[0].routes[1].route.max_stream_duration.max_stream_duration', '1500ms', true, '"1.500s"'],
    ['RDS/r', 'virtual_hosts[0].routes[1].route.max_stream_duration.max_stream_duration', '1.5s', true, '"1.500s"'],
    ['RDS/r', 'virtual_hosts[0].routes[1].route.max_stream_duration.max_stream_duration', '2s', false, '"1.500s"'],
    ['RDS/r', 'virtual_hosts[0].routes[2].route.weighted_clusters.clusters[name=blue].weight', '90', true, '90'],
    ['RDS/r', 'virtual_hosts[0].routes[0].match', '{ equals: { path: /a.B/Denied } }', true, '{"path":"/a.B/Denied"}'],
    [
      'RDS/r',
      'virtual_hosts[0].routes[1].match.headers[0]',
      '{ equals: { name: env, string_match: { exact: canary } } }',
      true,
      'canary',
    ],
    ['RDS/r', 'virtual_hosts[0].routes[1].match.headers[0]', '{ equals: { name: env } }', false, 'canary'],
    // A secret is compared by its real value, but not shown.
    ['RDS/r', 'virtual_hosts[1].request_headers_to_add[0].header.value', 'Bearer hush', true, '"[redacted]"'],
    ['RDS/r', 'virtual_hosts[1].request_headers_to_add[0].header.value', 'other', false, '"[redacted]"'],
    ['CDS/blue', 'lb_policy', 'ROUND_ROBIN', true, '"ROUND_ROBIN"'],
    ['CDS/blue', 'lb_policy', 'RING_HASH', false, '"ROUND_ROBIN"'],
    ['CDS/blue', 'respect_dns_ttl', 'false', true, 'false'],
    ['CDS/blue', 'name', '{ matches: "^b.*e$" }', true, '"blue"'],
    ['CDS/blue', 'name', '{ matches: "^b$" }', false, '"blue"'],
    ['CDS/blue', 'transport_socket', '{ exists: false }', true, '"transport_socket" is not set'],
    ['CDS/blue', 'transport_socket', '{ exists: true }', false, '"transport_socket" is not set'],
    ['CDS/blue', 'transport_socket.name', 'x', false, '"transport_socket" is not set'],
    ['CDS/blue', 'eds_cluster_config', '{ exists: true }', true, '{'],
    ['CDS/blue', 'metadata.filter_metadata["envoy.lb"].tier', 'gold', true, '"gold"'],
    [
      'CDS/blue',
      'metadata.filter_metadata["envoy.lb"].teir',
      'gold',
      false,
      'metadata.filter_metadata["envoy.lb"]: it has no "teir" (did you mean "tier"?)',
    ],
    ['LDS/l', 'api_listener.api_listener.rds.route_config_name', 'r', true, '"r"'],
    [
      'LDS/l',
      'api_listener.api_listener["@type"]',
      '{ matches: HttpConnectionManager$ }',
      true,
      'HttpConnectionManager',
    ],
    ['LDS/l', 'api_listener.api_listener.http_filters[0].typed_config["@type"]', ROUTER['@type'], true, 'Router'],
    [
      'LDS/l',
      'api_listener.api_listener.rsd.route_config_name',
      'r',
      false,
      'api_listener.api_listener: HttpConnectionManager has no field "rsd" (did you mean "rds"?)',
    ],
    ['EDS/blue', 'endpoints[0].lb_endpoints[3].health_status', 'UNHEALTHY', true, '"UNHEALTHY"'],
    ['CDS/denied', 'name', 'x', false, 'no version is in use: RECEIVED_ERROR'],
    ['CDS/nobody', 'name', 'x', false, 'not requested: no resource names it'],
  ])('%s %s is %s: %s', (resource, path, wanted, ok, actual) => {
    const [verdict] = evaluated(`resources: { ${resource}: { fields: { '${path}': ${wanted} } } }`, seen());
    expect(verdict).toMatchObject({ kind: 'field', ok, actual: expect.stringContaining(actual) });
  });

  it.each<[rpc: string, ok: boolean, expected: string, actual: string]>([
    ['/a.B/C', true, 'OK', 'OK'],
    ['{}', true, 'OK', 'OK'],
    [
      '{ method: /a.B/C, expect: { cluster: blue, timeout: 9s } }',
      true,
      'OK, cluster blue, timeout 9.0 s',
      'OK, cluster blue, timeout 9.0 s (listener)',
    ],
    [
      '{ method: /a.B/C, headers: { env: canary }, expect: { cluster: canary, timeout: 1.5s } }',
      true,
      'OK, cluster canary, timeout 1.5 s',
      'timeout 1.5 s (route)',
    ],
    [
      '{ method: /a.B/C, deadline: 1s, expect: { timeout: 1s } }',
      true,
      'OK, timeout 1.0 s',
      'OK, timeout 1.0 s (application)',
    ],
    [
      '{ method: /a.B/C, timeout_rules: a31, expect: { timeout: 15s } }',
      true,
      'OK, timeout 15.0 s',
      'OK, timeout 15.0 s (default)',
    ],
    ['{ method: /a.B/C, expect: { timeout: none } }', false, 'OK, no timeout', 'OK, timeout 9.0 s (listener)'],
    ['{ method: /a.B/C, expect: { cluster: canary } }', false, 'OK, cluster canary', 'OK, cluster blue'],
    ['{ method: /a.B/Denied }', false, 'OK', 'UNAVAILABLE: CDS resource denied: not for "n" (node ID:n)'],
    [
      '{ method: /a.B/Denied, expect: { status: UNAVAILABLE, cluster: denied, message: { contains: not for } } }',
      true,
      'UNAVAILABLE, message contains "not for", cluster denied',
      'UNAVAILABLE: ',
    ],
    [
      '{ method: /a.B/Denied, expect: { status: UNAVAILABLE, message: other } }',
      false,
      'UNAVAILABLE, message "other"',
      'message "CDS resource denied',
    ],
    [
      '{ method: /w.W/X, expect: { clusters: { blue: 90, canary: 10 } } }',
      true,
      'OK, cluster blue 90 % + canary 10 %',
      'OK, cluster blue 90 % + canary 10 %',
    ],
    [
      '{ method: /w.W/X, expect: { clusters: { blue: 80, canary: 20 } } }',
      false,
      'OK, cluster blue 80 % + canary 20 %',
      'OK, cluster blue 90 % + canary 10 %',
    ],
    ['{ method: /w.W/X, expect: { cluster: blue } }', false, 'OK, cluster blue', 'OK, cluster blue 90 % + canary 10 %'],
    [
      '{ method: /h.H/Half }',
      false,
      'OK for all RPCs',
      'OK, but not for 1 % to cluster denied: fails: CDS resource denied: not for "n"',
    ],
    ['{ method: /h.H/Half, expect: { status: UNAVAILABLE } }', false, 'UNAVAILABLE', 'OK'],
  ])('the RPC %s: %s', (rpc, ok, expected, actual) => {
    const [verdict] = evaluated(`rpcs: [${rpc}]`, seen());
    expect(verdict).toMatchObject({
      ok,
      expected: expect.stringContaining(expected),
      actual: expect.stringContaining(actual),
    });
  });

  it('a failing RPC has the hint of `explain`, with the keys of a file', () => {
    expect(evaluated('rpcs: [/a.B/Denied]', seen())[0]?.hint).toMatch(
      /^The control plane reports PERMISSION_DENIED for CDS "denied"/,
    );
  });

  it.each<[rpc: string, hint: string | undefined]>([
    [
      '{ method: /a.B/C, headers: { env: prod }, expect: { cluster: canary } }',
      'Route 2 uses cluster canary, but header env = canary does not match: it is prod.',
    ],
    [
      '{ method: /a.B/C, headers: { env: canary }, expect: { cluster: blue } }',
      'Route 6 uses cluster blue, but route 2 comes first.',
    ],
    ['{ method: /a.B/C, expect: { cluster: red } }', 'No route uses cluster red.'],
    ['{ method: /s.S/Shared, expect: { cluster: solo } }', 'Route 5 splits such RPCs among blue, solo.'],
    ['{ method: /w.W/X, expect: { cluster: blue } }', 'Route 6 uses cluster blue, but route 3 comes first.'],
    ['{ method: /a.B/C, expect: { cluster: blue, timeout: none } }', undefined],
  ])('an RPC to another cluster has a hint: %s', (rpc, hint) => {
    expect(evaluated(`rpcs: [${rpc}]`, seen())[0]?.hint).toBe(hint);
  });
});

describe('the evaluation over time', () => {
  it('includes the duration of tears, also of an open one', () => {
    const plane = new Plane({ features: ['fail_on_data_errors'] });
    plane.server
      .set('LDS', 'l', json.listener('r'))
      .set('RDS', 'r', json.routes('blue'))
      .set('CDS', 'blue', json.eds('blue'));
    plane.server.set('EDS', 'blue', json.endpoints('blue'));
    plane.follow();
    expect(evaluated('max_tear: 0s', observationOf(plane))).toMatchObject([{ ok: true, actual: 'no tear in 100 ms' }]);
    plane.server.set('CDS', 'blue', undefined).push('CDS');
    plane.pass(1000);
    const lasted = (text: string): object | undefined => evaluated(text, observationOf(plane)).at(-1);
    expect(lasted('max_tear: 900ms')).toMatchObject({
      ok: false,
      actual: expect.stringMatching(/removed-in-use for 99\d ms \(still open\): CDS blue/),
    });
    expect(lasted('max_tear: 2s')).toMatchObject({
      ok: true,
      actual: expect.stringContaining('1 shorter tear in 1.1 s'),
    });
    plane.server.set('CDS', 'blue', json.eds('blue')).push('CDS');
    plane.pass(5000);
    expect(lasted('max_tear: 1100ms')).toMatchObject({ ok: true });
    expect(lasted('max_tear: 0s')).toMatchObject({
      ok: false,
      actual: expect.stringMatching(/removed-in-use for 1\.0 s: /),
    });
  });

  it('includes past statuses of a resource', () => {
    const plane = everything();
    expect(evaluated('never: [DOES_NOT_EXIST]', observationOf(plane))[0]).toMatchObject({ ok: true });
    plane.server.set('CDS', 'canary', undefined).push('CDS');
    plane.pass(50);
    plane.server.set('CDS', 'canary', json.eds('canary')).push('CDS');
    plane.pass(50);
    const after = observationOf(plane);
    expect(evaluated('resources: { CDS/canary: ACKED }', after)[0]).toMatchObject({ ok: true });
    expect(evaluated('never: [DOES_NOT_EXIST]', after)[0]).toMatchObject({
      ok: false,
      actual: expect.stringMatching(/^CDS canary was DOES_NOT_EXIST: NOT_FOUND: does not exist/),
    });
  });

  it('explains why a target is not ready', () => {
    const plane = new Plane();
    plane.follow();
    expect(evaluated('verdict: ok\nsettled_within: 1s', observationOf(plane, 'never'))).toMatchObject([
      {
        ok: false,
        expected: 'ok',
        actual: 'waiting',
        cause: { resource: { type: 'LDS', name: 'l' }, server: 'p' },
        hint: expect.stringMatching(/\w/),
      },
      { ok: false, actual: 'not settled after 100 ms: 1 resource is still REQUESTED' },
    ]);
    plane.pass(15_000);
    expect(evaluated('verdict: ok\nrpcs: [/a/b]', observationOf(plane))).toMatchObject([
      { ok: false, actual: 'fails', cause: { code: 'no-listener', resource: { type: 'LDS', name: 'l' } } },
      { ok: false, actual: expect.stringMatching(/^UNAVAILABLE: empty address list/) },
    ]);
    expect(evaluated('ready: false', observationOf(plane))).toMatchObject([{ ok: true, expected: 'fails or waiting' }]);
    expect(
      evaluated('rpcs: [{ expect: { status: UNAVAILABLE } }] # configuration', observationOf(plane)),
    ).toMatchObject([
      { ok: false, expected: 'a configuration', actual: expect.stringMatching(/^RPCs fail: LDS resource l: does not/) },
      { ok: true },
    ]);
  });

  it('does not count a target without a server as settled', () => {
    const plane = new Plane();
    plane.server.goDown();
    plane.follow();
    expect(evaluated('verdict: ok\nsettled_within: 1s', observationOf(plane, 20))).toMatchObject([
      { ok: false, actual: 'fails', cause: { code: 'unreachable', server: 'p' } },
      { ok: false, actual: 'no server could be reached' },
    ]);
  });

  it('reports the NACK of a rejected resource, whose version stays in use', () => {
    const plane = everything();
    plane.server.set('CDS', 'blue', { name: 'blue', type: 'STATIC' }).push('CDS');
    plane.pass(100);
    const now = observationOf(plane);
    expect(
      evaluated(
        'resources: { CDS/blue: { status: NACKED, error: { message: { matches: type } }, fields: { type: EDS } } }',
        now,
      ),
    ).toMatchObject([
      { kind: 'status', ok: true, actual: expect.stringMatching(/^NACKED, .*; version 3 is still used$/) },
      { kind: 'error', ok: true },
      { kind: 'field', ok: true },
    ]);
    expect(evaluated('resources: { CDS/blue: { error: INVALID_ARGUMENT } }', now)).toMatchObject([{ ok: false }]);
    expect(evaluated('never: [NACKED]', now)).toMatchObject([
      { ok: false, actual: expect.stringMatching(/^CDS blue was NACKED: /) },
    ]);
  });
});

describe('findings', () => {
  const finding = (code: string, severity: 'error' | 'warning' | 'note'): ProtocolFinding => ({
    code,
    severity,
    scope: 's',
    server: 'p',
    typeUrl: undefined,
    names: [],
    count: 2,
    rate: undefined,
    isOngoing: false,
    begin: 0,
    last: 1000,
    message: 'it happens',
    advice: 'Stop it.',
  });
  const found = () => ({
    ...seen(),
    findings: [finding('XI205', 'note'), finding('XI208', 'warning'), finding('XI203', 'error')],
  });

  it.each<[text: string, ok: boolean, codes: string[]]>([
    ['findings: { forbid: [error] }', false, ['XI203']],
    ['findings: {}', false, ['XI203']],
    ['findings: { forbid: [warning] }', false, ['XI203', 'XI208']],
    ['findings: { forbid: [note], allow: [XI203] }', false, ['XI208', 'XI205']],
    ['findings: { forbid: [XI205] }', false, ['XI205']],
    ['findings: { forbid: [XI201] }', true, []],
    ['findings: { allow: [XI203] }', true, []],
  ])('%s: %s', (text, ok, codes) => {
    const [verdict] = evaluated(text, found());
    expect(verdict?.ok).toBe(ok);
    expect(verdict?.findings?.map(({ code }) => code) ?? []).toEqual(codes);
    if (!ok) expect(verdict?.hint).toBe('Stop it.');
    if (!ok) expect(verdict?.actual).toMatch(/^XI20\d it happens · 2 times in 1\.0 s/);
  });

  it('are not evaluated if none is forbidden', () => {
    expect(evaluated('findings: { forbid: [] }', found())).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { statusCode } from '../../../src/base/status.js';
import { evaluate } from '../../../src/inspect/expect/evaluate.js';
import { expectationName } from '../../../src/inspect/expect/expectation-name.js';
import type { Match } from '../../../src/inspect/expect/expectations.js';
import { fits, matchText } from '../../../src/inspect/expect/match.js';
import { type CheckReport, checkDocument, rootFailures } from '../../../src/inspect/expect/report.js';
import type { Json } from '../../../src/proto/json/well-known.js';
import { json } from '../../deps/follow.js';
import { Plane } from '../../deps/plane.js';
import { evaluated, observationOf } from './observe.js';

describe('an expected value', () => {
  it.each<[title: string, Match, value: Json | undefined, ok: boolean]>([
    ['equals a duration in another unit', { kind: 'equals', value: '1500ms' }, '1.500s', true],
    ['does not equal a list of it', { kind: 'equals', value: '5s' }, ['5s'], false],
    ['does not equal a mapping', { kind: 'equals', value: '5s' }, { a: '5s' }, false],
    ['does not equal a flag of the same text', { kind: 'equals', value: 'true' }, true, false],
    ['equals a 64-bit integer, which is text', { kind: 'equals', value: 5 }, '5', true],
    ['does not match a missing value', { kind: 'matches', pattern: '.*' }, undefined, false],
    ['counts the fields of a mapping', { kind: 'count', count: { comparison: '=', value: 1 } }, { a: 1 }, true],
    ['counts nothing in a text', { kind: 'count', count: { comparison: '>=', value: 0 } }, 'text', false],
  ])('%s', (_, match, value, ok) => {
    expect(fits(match, value)).toBe(ok);
  });

  it.each<[Match, text: string]>([
    [{ kind: 'count', count: { comparison: '>=', value: 3 } }, '>=3 elements'],
    [{ kind: 'exists', exists: true }, 'exists'],
    [{ kind: 'exists', exists: false }, 'does not exist'],
  ])('%j is shown as %s', (match, text) => {
    expect(matchText(match)).toBe(text);
  });
});

/** A target with a working route, a weighted route of which a part fails, and a route without a timeout. */
function plane({ hasRoutes = true } = {}): Plane {
  const plane = new Plane();
  const clusters = ['blue', 'denied'].map((name) => ({ name, weight: 1 }));
  const half = { match: { path: '/h.H/Half' }, route: { weighted_clusters: { clusters } } };
  plane.server.set('LDS', 'l', json.listener('r'));
  if (hasRoutes)
    plane.server.set('RDS', 'r', {
      name: 'r',
      virtual_hosts: [{ domains: ['*'], routes: [half, { match: { prefix: '' }, route: { cluster: 'blue' } }] }],
    });
  plane.server.set('CDS', 'blue', json.eds('blue')).set('EDS', 'blue', json.endpoints('blue'));
  plane.server.reportError('CDS', 'denied', { code: statusCode('PERMISSION_DENIED'), message: 'no' });
  plane.follow();
  plane.pass(500);
  return plane;
}

const seen = () => observationOf(plane());
const waiting = () => observationOf(plane({ hasRoutes: false }));

describe('the evaluation', () => {
  it('of an RPC without a timeout names no origin of it', () => {
    expect(evaluated('rpcs: [{ method: /a.B/C, expect: { timeout: 5s } }]', seen())[0]).toMatchObject({
      ...{ ok: false, expected: 'OK, timeout 5.0 s', actual: 'OK, no timeout' },
    });
  });

  it('of an RPC that is queued says that the configuration is incomplete', () => {
    expect(evaluated('rpcs: [/a.B/C]', waiting())[0]).toMatchObject({
      ...{ ok: false, expected: 'OK', actual: 'queued: the configuration is incomplete' },
      blockedBy: { type: 'RDS', name: 'r' },
    });
  });

  it('of an RPC whose cluster a plugin chooses says so', () => {
    const config = {
      '@type': 'type.googleapis.com/grpc.lookup.v1.RouteLookupClusterSpecifier',
      route_lookup_config: {
        ...{ grpc_keybuilders: [{ names: [{ service: 's' }] }], lookup_service: 'rls.example:1' },
        ...{ lookup_service_timeout: '1s', cache_size_bytes: 1000 },
      },
    };
    const routes = [{ match: { prefix: '' }, route: { cluster_specifier_plugin: 'rls' } }];
    const plane = new Plane();
    plane.server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', {
      name: 'r',
      cluster_specifier_plugins: [{ extension: { name: 'rls', typed_config: config } }],
      virtual_hosts: [{ domains: ['*'], routes }],
    });
    plane.follow();
    expect(evaluated('rpcs: [/a.B/C]', observationOf(plane))[0]).toMatchObject({
      ...{ ok: false, actual: 'unknown: a plugin chooses the cluster' },
    });
  });

  it('of an RPC that fails in part is blocked by the failing cluster', () => {
    expect(evaluated('rpcs: [/h.H/Half]', seen())[0]?.blockedBy).toEqual({ type: 'CDS', name: 'denied' });
  });

  it('of an RPC that is dropped in part is blocked by the cluster that drops it', () => {
    const weights = [
      { name: 'blue', weight: 99 },
      { name: 'closed', weight: 1 },
    ];
    const routes = [{ match: { prefix: '' }, route: { weighted_clusters: { clusters: weights } } }];
    const circuit_breakers = { thresholds: [{ max_requests: 0 }] };
    const plane = new Plane();
    plane.server.set('LDS', 'l', json.listener('r'));
    plane.server.set('RDS', 'r', { name: 'r', virtual_hosts: [{ domains: ['*'], routes }] });
    plane.server.set('CDS', 'blue', json.eds('blue')).set('EDS', 'blue', json.endpoints('blue'));
    plane.server.set('CDS', 'closed', { ...json.eds('closed', 'blue'), circuit_breakers });
    plane.follow();
    plane.pass(500);
    expect(evaluated('rpcs: [/a.B/C]', observationOf(plane))[0]).toMatchObject({
      ...{ ok: false, expected: 'OK for all RPCs', blockedBy: { type: 'CDS', name: 'closed' } },
    });
  });

  it('of a field of the resource itself has no path before the reason', () => {
    const text = "resources: { CDS/blue: { fields: { 'transport_socket': { exists: true } } } }";
    expect(evaluated(text, seen())[0]?.actual).toBe('"transport_socket" is not set');
  });

  it('of a mapping that was not sent compares it with an empty one', () => {
    const field = (value: string) =>
      evaluated(`resources: { CDS/blue: { fields: { 'typed_extension_protocol_options': ${value} } } }`, seen())[0];
    expect([field('{ equals: {} }')?.ok, field('[]')?.ok]).toEqual([true, false]);
  });

  it('of an error shows the expected code and message', () => {
    const text = 'resources: { CDS/denied: { error: { code: PERMISSION_DENIED, message: other } } }';
    expect(evaluated(text, seen()).at(-1)?.expected).toBe('RECEIVED_ERROR with PERMISSION_DENIED: "other"');
  });

  it('of a configuration says whether there is one', () => {
    expect(evaluate({ kind: 'configured' }, seen())).toMatchObject({ ok: true, actual: 'a configuration' });
    expect(evaluate({ kind: 'configured' }, waiting()).ok).toBe(false);
  });

  it('of stability fails while DNS keeps a configuration incomplete, although no request is open', () => {
    const observed = seen();
    const channel = { ...observed.channel, state: { kind: 'none' as const } };
    const observation = { ...observed, scope: { ...observed.scope, entries: [], channels: [channel] } };
    expect(evaluate({ kind: 'stable', forMs: 0 }, observation)).toMatchObject({
      ...{ ok: false, actual: 't: the configuration is still incomplete' },
    });
    expect(evaluate({ kind: 'stable', forMs: 0 }, seen()).ok).toBe(true);
  });

  it('has a name for the expectation that every resource is ACKED', () => {
    expect(expectationName({ kind: 'acked' })).toBe('acked');
  });

  it('names an RPC by its method and its headers, without secrets', () => {
    const rpc = '{ method: /a.B/C, headers: { env: [a, b], authorization: hush } }';
    expect(evaluated(`rpcs: [${rpc}]`, seen())[0]?.name).toBe('rpc /a.B/C (env: a, env: b, authorization: [redacted])');
  });

  it('compares a secret with its real value and shows neither', () => {
    const secret = [{ header: { key: 'authorization', value: 'Bearer hush' } }];
    const plane = new Plane();
    plane.server.set('LDS', 'l', json.listener('r'));
    plane.server.set('RDS', 'r', { ...json.routes('blue'), request_headers_to_add: secret });
    plane.follow();
    const field = "resources: { RDS/r: { fields: { 'request_headers_to_add[0].header.value': Bearer hush } } }";
    expect(evaluated(field, observationOf(plane))).toMatchObject([
      { ok: true, expected: '[redacted]', actual: '"[redacted]"' },
    ]);
  });
});

describe('the report of a check', () => {
  const target = (name: string, verdict: string) => ({
    ...{ target: name, isUnexpected: true, evaluated: [] },
    verdict: { target: name, verdict, cause: null, routes: [] },
  });
  const report = (...targets: object[]) => ({ file: 'f', remark: '', targets }) as unknown as CheckReport;

  it('lists the worst target first', () => {
    const found = rootFailures(report(target('a', 'partly'), target('b', 'fails'), target('c', 'waiting')));
    expect(found.map((one) => one.target).indexOf('b')).toBe(0);
  });

  it('has the verdict unknown without targets', () => {
    expect(checkDocument(report())).toMatchObject({ verdict: 'unknown', cause: null, passed: 0, failed: 0 });
  });
});

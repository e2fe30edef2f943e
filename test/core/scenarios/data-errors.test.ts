import { describe, expect, it } from 'vitest';
import { type HarnessOptions, NODE, scenario, type TestClient } from './harness.js';
import { bad, cluster, endpoints, good, listener, REASONS, routes } from './resources.js';

const TYPES = ['LDS', 'RDS', 'CDS', 'EDS'] as const;
const FAILING: HarnessOptions = { servers: [{ uri: 'default', features: ['fail_on_data_errors'] }] };

/** The server reports an error for foo1, then sends it. */
function reportErrorThenSend(t: TestClient): number {
  const foo1 = t.watch('EDS', 'foo1');
  t.respond('EDS', {
    version: '1',
    nonce: 'A',
    errors: [{ name: 'foo1', code: 'PERMISSION_DENIED', message: 'nope' }],
  });
  expect(t.received(foo1)).toEqual([`RE(PERMISSION_DENIED: nope${NODE})`]);
  expect(t.requests()).toEqual(['default EDS{foo1; -; -} node', 'default EDS{foo1; 1; A}']);
  expect(t.csds()).toEqual(['EDS foo1 RECEIVED_ERROR, error 1 at 0: nope']);
  expect(t.metrics()).toMatchObject({
    valid: [],
    invalid: ['default EDS 1'],
    resources: ['#old EDS received_error 1'],
  });
  t.timers();
  t.advance(20_000);
  expect([t.received(foo1), t.timers()]).toEqual([[], []]);
  t.respond('EDS', { version: '2', nonce: 'B', resources: [endpoints('foo1', 6)] });
  expect(t.received(foo1)).toEqual(['RC(6)']);
  expect(t.requests()).toEqual(['default EDS{foo1; 2; B}']);
  expect(t.csds()).toEqual(['EDS foo1 ACKED, 2 at 20000']);
  return foo1;
}

/** Follows a target whose configuration is complete. */
function followAll(t: TestClient): void {
  t.follow('s');
  t.respond('LDS', { version: '1', nonce: 'l1', resources: [listener('s', 'r')] });
  t.respond('RDS', { version: '1', nonce: 'r1', resources: [routes('r', 'c')] });
  t.respond('CDS', { version: '1', nonce: 'c1', resources: [cluster('c')] });
  t.respond('EDS', { version: '1', nonce: 'e1', resources: [endpoints('c', 6)] });
  expect(t.rpc('s')).toBe('ok r 6');
  t.requests();
}

describe('data errors', () => {
  it(
    'that a server reports replace a missing resource, and are ambient errors of a cached one (S45)',
    scenario({}, (t) => {
      const foo1 = reportErrorThenSend(t);
      t.respond('EDS', {
        version: '3',
        nonce: 'C',
        errors: [{ name: 'foo1', code: 'PERMISSION_DENIED', message: 'bzzt' }],
      });
      expect(t.received(foo1)).toEqual([`AE(PERMISSION_DENIED: bzzt${NODE})`]);
      expect(t.requests()).toEqual(['default EDS{foo1; 3; C}']);
      expect(t.csds()).toEqual(['EDS foo1 RECEIVED_ERROR, 2 at 20000, error 3 at 20000: bzzt']);
      expect(t.metrics()).toMatchObject({
        valid: ['default EDS 1'],
        invalid: ['default EDS 2'],
        resources: ['#old EDS received_error_but_cached 1'],
      });
      const late = t.watch('EDS', 'foo1');
      expect(t.received(late)).toEqual(['RC(6)', `AE(PERMISSION_DENIED: bzzt${NODE})`]);
    }),
  );

  it(
    'that a server reports drop the resource with fail_on_data_errors if the code means that it does not exist (S46)',
    scenario(FAILING, (t) => {
      const foo1 = reportErrorThenSend(t);
      t.respond('EDS', { version: '3', nonce: 'C', errors: [{ name: 'foo1', code: 'UNAVAILABLE', message: 'later' }] });
      expect(t.received(foo1)).toEqual([`AE(UNAVAILABLE: later${NODE})`]);
      expect(t.csds()).toEqual(['EDS foo1 RECEIVED_ERROR, 2 at 20000, error 3 at 20000: later']);
      expect(t.metrics().resources).toEqual(['#old EDS received_error_but_cached 1']);
      for (const code of ['PERMISSION_DENIED', 'NOT_FOUND'] as const) {
        t.respond('EDS', { version: '4', nonce: 'D', errors: [{ name: 'foo1', code, message: 'bzzt' }] });
        expect(t.received(foo1)).toEqual([`RE(${code}: bzzt${NODE})`]);
        expect(t.csds()).toEqual(['EDS foo1 RECEIVED_ERROR, error 4 at 20000: bzzt']);
        expect(t.metrics().resources).toEqual(['#old EDS received_error 1']);
        t.respond('EDS', { version: '5', nonce: 'E', resources: [endpoints('foo1', 6)] });
        expect(t.received(foo1)).toEqual(['RC(6)']);
      }
      expect(t.requests()).toEqual(['3; C', '4; D', '5; E', '4; D', '5; E'].map((x) => `default EDS{foo1; ${x}}`));
    }),
  );

  it(
    'that a server reports are ignored without A88: the client sends an ACK and the resource timer expires (S47)',
    scenario({ a88: false }, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      t.respond('EDS', {
        version: '1',
        nonce: 'A',
        errors: [{ name: 'foo1', code: 'PERMISSION_DENIED', message: 'nope' }, {}],
      });
      expect(t.received(foo1)).toEqual([]);
      expect(t.requests()).toEqual(['default EDS{foo1; -; -} node', 'default EDS{foo1; 1; A}']);
      expect(t.csds()).toEqual(['EDS foo1 REQUESTED']);
      expect(t.metrics()).toMatchObject({ valid: [], invalid: [], resources: ['#old EDS requested 1'] });
      t.advance(15_000);
      expect(t.received(foo1)).toEqual([`RE(NOT_FOUND: does not exist${NODE})`]);
    }),
  );

  it(
    'of an omitted cluster are ambient: the cluster stays in use (S49)',
    scenario({}, (t) => {
      const first = t.watch('CDS', 'wc1');
      t.respond('CDS', { version: '1', nonce: 'A', resources: [cluster('wc1', 6)] });
      expect(t.received(first)).toEqual(['RC(6)']);
      t.advance(100);
      t.respond('CDS', { version: '2', nonce: 'B' });
      const gone = `AE(NOT_FOUND: does not exist${NODE})`;
      expect(t.received(first)).toEqual([gone]);
      expect(t.csds()).toEqual(['CDS wc1 DOES_NOT_EXIST, 1 at 0, error 2 at 100: does not exist']);
      expect(t.metrics()).toMatchObject({ invalid: [], resources: ['#old CDS does_not_exist_but_cached 1'] });
      const second = t.watch('CDS', 'wc1');
      expect(t.received(second)).toEqual(['RC(6)', gone]);
      t.respond('CDS', { version: '3', nonce: 'C', resources: [cluster('wc1', 7)] });
      expect([t.received(first), t.received(second)]).toEqual([['RC(7)'], ['RC(7)']]);
      expect(t.csds()).toEqual(['CDS wc1 ACKED, 3 at 100']);
      expect(t.requests()).toEqual([
        'default CDS{wc1; -; -} node',
        'default CDS{wc1; 1; A}',
        'default CDS{wc1; 2; B}',
        'default CDS{wc1; 3; C}',
      ]);
    }),
  );

  it('of a deleted listener fail RPCs only if the features of the server drop it (S50)', () => {
    const cases: [setting: HarnessOptions, isDropped: boolean][] = [
      [{ a88: false }, true],
      [{ a88: false, servers: [{ uri: 'default', features: ['ignore_resource_deletion'] }] }, false],
      [{}, false],
      [FAILING, true],
      // With A88, ignore_resource_deletion has no effect.
      [{ servers: [{ uri: 'default', features: ['ignore_resource_deletion', 'fail_on_data_errors'] }] }, true],
    ];
    for (const [setting, isDropped] of cases) {
      scenario(setting, (t) => {
        followAll(t);
        t.respond('LDS', { version: '2', nonce: 'l2' });
        expect(t.requests()[0]).toBe('default LDS{s; 2; l2}');
        const error = `UNAVAILABLE: empty address list (LDS resource s: does not exist${NODE})`;
        expect(t.rpc('s')).toBe(isDropped ? error : 'ok r 6');
        t.respond('LDS', { version: '3', nonce: 'l3', resources: [listener('s', 'new')] });
        t.respond('RDS', { version: '2', nonce: 'r2', resources: [routes('new', 'c')] });
        t.respond('CDS', { version: '2', nonce: 'c2', resources: [cluster('c')] });
        t.respond('EDS', { version: '2', nonce: 'e2', resources: [endpoints('c', 6)] });
        expect(t.rpc('s')).toBe('ok new 6');
        expect(t.requests().filter((line) => line.includes('NACK'))).toEqual([]);
      })();
    }
  });

  it(
    'of an invalid listener update leave the valid version in use for RPCs (S51)',
    scenario({}, (t) => {
      followAll(t);
      t.respond('LDS', { version: '2', nonce: 'l2', resources: [bad('LDS', 's')] });
      expect(t.requests()).toEqual([
        `default LDS{s; 1; l2} NACK INVALID_ARGUMENT: xDS response validation errors: [resource index 0: s: INVALID_ARGUMENT: ${REASONS.LDS}]`,
      ]);
      expect(t.rpc('s')).toBe('ok r 6');
      expect(t.csds()[0]).toBe(`LDS s NACKED, 1 at 0, error 2 at 0: invalid resource: ${REASONS.LDS}`);
    }),
  );

  it(
    'are reported to a later watcher together with the cached resource (S53)',
    scenario({}, (t) => {
      for (const type of TYPES) {
        const first = t.watch(type, 'x');
        t.respond(type, { version: '1', nonce: 'A', resources: [good(type, 'x', 6)] });
        t.respond(type, { version: '2', nonce: 'B', resources: [bad(type, 'x')] });
        const second = t.watch(type, 'x');
        const expected = ['RC(6)', `AE(INVALID_ARGUMENT: invalid resource: ${REASONS[type]}${NODE})`];
        expect([t.received(first), t.received(second)]).toEqual([expected, expected]);
        t.cancel(first);
        t.cancel(second);
      }
    }),
  );

  it(
    'of one resource do not affect valid resources in the same response (S54)',
    scenario({}, (t) => {
      for (const type of TYPES) {
        const valid = t.watch(type, 'right');
        const invalid = t.watch(type, 'wrong');
        t.requests();
        t.respond(type, { version: '1', nonce: 'A', resources: [bad(type, 'wrong'), good(type, 'right', 6)] });
        expect(t.received(valid)).toEqual(['RC(6)']);
        expect(t.received(invalid)).toEqual([`RE(INVALID_ARGUMENT: invalid resource: ${REASONS[type]}${NODE})`]);
        expect(t.requests()).toEqual([
          `default ${type}{right,wrong; 1; A} NACK INVALID_ARGUMENT: xDS response validation errors: [resource index 0: wrong: INVALID_ARGUMENT: ${REASONS[type]}]`,
        ]);
        t.cancel(valid);
        t.cancel(invalid);
      }
    }),
  );
});

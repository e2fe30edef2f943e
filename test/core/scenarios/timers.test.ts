import { describe, expect, it } from 'vitest';
import { NODE, scenario, type TestClient } from './harness.js';
import { cluster, endpoints, good, listener, routes, type Short } from './resources.js';

const NOT_FOUND = `RE(NOT_FOUND: does not exist${NODE})`;

/** The server does not respond for 15 s, then sends the resource. */
function expectAbsentAfter15Seconds(t: TestClient): void {
  const first = t.watch('EDS', 'foo1');
  expect(t.timers()).toEqual(['started EDS foo1 15000']);
  t.advance(14_999);
  expect(t.received(first)).toEqual([]);
  expect(t.csds()).toEqual(['EDS foo1 REQUESTED']);
  t.advance(1);
  expect(t.received(first)).toEqual([NOT_FOUND]);
  expect(t.timers()).toEqual(['expired EDS foo1']);
  expect(t.csds()).toEqual(['EDS foo1 DOES_NOT_EXIST, error: does not exist']);
  expect(t.metrics()).toMatchObject({ invalid: [], resources: ['#old EDS does_not_exist 1'] });
  const second = t.watch('EDS', 'foo1');
  expect(t.received(second)).toEqual([NOT_FOUND]);
  expect(t.requests()).toEqual(['default EDS{foo1; -; -} node']);
  t.advance(60_000);
  expect([t.received(first), t.received(second), t.timers()]).toEqual([[], [], []]);
  t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
  expect([t.received(first), t.received(second)]).toEqual([['RC(6)'], ['RC(6)']]);
  expect(t.requests()).toEqual(['default EDS{foo1; 1; A}']);
  expect(t.csds()).toEqual(['EDS foo1 ACKED, 1 at 75000']);
}

describe('resource timers', () => {
  it('report DOES_NOT_EXIST after 15 s, until the resource arrives (S25)', scenario({}, expectAbsentAfter15Seconds));

  it(
    'report DOES_NOT_EXIST after 15 s with resource_timer_is_transient_error but without A88 (S26)',
    scenario(
      { a88: false, servers: [{ uri: 'default', features: ['resource_timer_is_transient_error'] }] },
      expectAbsentAfter15Seconds,
    ),
  );

  it(
    'report TIMEOUT after 30 s (C-core: 15 s) with resource_timer_is_transient_error (S27)',
    scenario({ servers: [{ uri: 'default', features: ['resource_timer_is_transient_error'] }] }, (t) => {
      const timerMs = t.preset === 'spec' ? 30_000 : 15_000;
      const foo1 = t.watch('EDS', 'foo1');
      expect(t.timers()).toEqual([`started EDS foo1 ${timerMs}`]);
      t.advance(timerMs - 1);
      expect(t.received(foo1)).toEqual([]);
      t.advance(1);
      const text = 'timeout obtaining resource from xDS server default';
      expect(t.received(foo1)).toEqual([`RE(UNAVAILABLE: ${text}${NODE})`]);
      expect(t.csds()).toEqual([`EDS foo1 TIMEOUT, error: ${text}`]);
      expect(t.metrics().resources).toEqual(['#old EDS timeout 1']);
      const late = t.watch('EDS', 'foo1');
      expect(t.received(late)).toEqual([`RE(UNAVAILABLE: ${text}${NODE})`]);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      expect([t.received(foo1), t.received(late)]).toEqual([['RC(6)'], ['RC(6)']]);
      expect(t.csds()).toEqual([`EDS foo1 ACKED, 1 at ${timerMs}`]);
    }),
  );

  it(
    'start when the request was sent (S29)',
    scenario({}, (t) => {
      t.holdsWrites = true;
      const foo1 = t.watch('EDS', 'foo1');
      expect(t.requests()).toEqual(['default EDS{foo1; -; -} node']);
      expect(t.engine.nextDeadline()).toBeUndefined();
      t.advance(100_000);
      expect([t.received(foo1), t.timers()]).toEqual([[], []]);
      t.complete();
      expect(t.timers()).toEqual(['started EDS foo1 15000']);
      t.advance(14_999);
      expect(t.received(foo1)).toEqual([]);
      t.advance(1);
      expect(t.received(foo1)).toEqual([NOT_FOUND]);
    }),
  );

  it(
    'do not start for a cached resource on a new stream (S30)',
    scenario({}, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      expect(t.received(foo1)).toEqual(['RC(6)']);
      t.end('UNAVAILABLE', 'gone');
      t.requests();
      t.timers();
      t.advance(60_000);
      expect(t.requests()).toEqual(['default EDS{foo1; 1; -} node']);
      expect([t.received(foo1), t.timers()]).toEqual([[], []]);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 1 at 0']);
      t.respond('EDS', { version: '1', nonce: 'B', resources: [endpoints('foo1', 6)] });
      expect(t.received(foo1)).toEqual([]);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 1 at 60000']);
      expect(t.requests()).toEqual(['default EDS{foo1; 1; B}']);
      expect(t.metrics()).toMatchObject({ connected: ['default 1'], failures: [], valid: ['default EDS 2'] });
    }),
  );

  it(
    'stop when the stream ends, and start again on the next stream (S31)',
    scenario({}, (t) => {
      const res1 = t.watch('EDS', 'res1');
      const res2 = t.watch('EDS', 'res2');
      expect(t.timers()).toEqual(['started EDS res1 15000', 'started EDS res2 15000']);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('res1', 6)] });
      t.advance(14_000);
      t.end('UNAVAILABLE', 'gone');
      t.holdsWrites = true;
      t.advance(20_000);
      expect([t.timers(), t.received(res1), t.received(res2)]).toEqual([[], ['RC(6)'], []]);
      t.complete();
      expect(t.timers()).toEqual(['started EDS res2 15000']);
      t.advance(14_999);
      expect(t.received(res2)).toEqual([]);
      t.advance(1);
      expect([t.received(res1), t.received(res2)]).toEqual([[], [NOT_FOUND]]);
      expect(t.timers()).toEqual(['expired EDS res2']);
    }),
  );

  it(
    'stop when the resource arrives in the last millisecond (S33)',
    scenario({}, (t) => {
      for (const type of ['LDS', 'RDS', 'CDS', 'EDS'] as const) {
        const watcher = t.watch(type, 'x');
        t.advance(14_999);
        t.respond(type, { version: '1', nonce: 'A', resources: [good(type, 'x', 6)] });
        t.timers();
        t.advance(15_001);
        expect([t.received(watcher), t.timers()]).toEqual([['RC(6)'], []]);
        t.cancel(watcher);
      }
    }),
  );

  /** Follows a target whose configuration is complete. */
  function followFirst(t: TestClient, ...clusters: string[]): void {
    t.follow('s1');
    t.respond('LDS', { version: '1', nonce: 'l1', resources: [listener('s1', 'r1')] });
    t.respond('RDS', { version: '1', nonce: 'r1', resources: [routes('r1', 'c1', ...clusters)] });
    t.respond('CDS', { version: '1', nonce: 'c1', resources: [cluster('c1')] });
    t.respond('EDS', { version: '1', nonce: 'e1', resources: [endpoints('c1', 6)] });
  }

  it(
    'fail only the RPCs that need the resource that does not arrive (S34)',
    scenario({}, (t) => {
      const setUp: Record<Short, () => void> = {
        LDS: () => {
          followFirst(t);
          t.follow('s2');
        },
        RDS: () => {
          followFirst(t);
          t.follow('s2');
          t.respond('LDS', { version: '2', nonce: 'l2', resources: [listener('s1', 'r1'), listener('s2', 'r2')] });
        },
        CDS: () => followFirst(t, 'c2'),
        EDS: () => {
          followFirst(t, 'c2');
          t.respond('CDS', { version: '2', nonce: 'c2', resources: [cluster('c1'), cluster('c2')] });
        },
      };
      const expected: Record<Short, [target: string, cluster: string, error: string]> = {
        LDS: ['s2', 'c2', `UNAVAILABLE: empty address list (LDS resource s2: does not exist${NODE})`],
        RDS: ['s2', 'c2', `UNAVAILABLE: empty address list (RDS resource r2: does not exist${NODE})`],
        CDS: ['s1', 'c2', `UNAVAILABLE: CDS resource c2: does not exist${NODE}`],
        EDS: [
          's1',
          'c2',
          `UNAVAILABLE: no children in weighted_target policy (EDS resource c2: does not exist${NODE})`,
        ],
      };
      for (const type of ['LDS', 'RDS', 'CDS', 'EDS'] as const) {
        setUp[type]();
        const [target, name, error] = expected[type];
        t.advance(14_999);
        expect(t.rpc(target, name), type).toBe('none');
        t.advance(1);
        expect(t.rpc(target, name), type).toBe(error);
        expect(t.rpc('s1', 'c1'), type).toBe('ok r1 6');
        t.close();
      }
    }),
  );

  it(
    'change nothing if a restarted server does not send cached resources again (S35)',
    scenario({}, (t) => {
      followFirst(t);
      expect(t.rpc('s1', 'c1')).toBe('ok r1 6');
      t.requests();
      t.end('UNAVAILABLE', 'restarting');
      t.advance(31_200);
      expect(t.requests()).toEqual([
        'default LDS{s1; 1; -} node',
        'default RDS{r1; 1; -}',
        'default CDS{c1; 1; -}',
        'default EDS{c1; 1; -}',
      ]);
      expect(t.rpc('s1', 'c1')).toBe('ok r1 6');
      expect(t.csds().map((line) => line.split(' ')[2])).toEqual(['ACKED,', 'ACKED,', 'ACKED,', 'ACKED,']);
    }),
  );
});

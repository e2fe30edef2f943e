import { describe, expect, it } from 'vitest';
import { NODE, scenario, type TestClient } from './harness.js';
import { BAD_WRAPPER, bad, EMPTY, endpoints, garbage, good, listener, REASONS, routes, wrapped } from './resources.js';

/** The error of one invalid resource in a NACK. */
const nackOf = (index: number, name: string, type: keyof typeof REASONS): string =>
  `resource index ${index}: ${name}: INVALID_ARGUMENT: ${REASONS[type]}`;
const nack = (...errors: string[]): string =>
  ` NACK INVALID_ARGUMENT: xDS response validation errors: [${errors.join('; ')}]`;
const invalid = (type: keyof typeof REASONS): string => `INVALID_ARGUMENT: invalid resource: ${REASONS[type]}${NODE}`;

/** Watches foo1 and receives it with the value 6. */
function watchFoo1(t: TestClient): number {
  const watcher = t.watch('EDS', 'foo1');
  t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
  expect(t.requests()).toEqual(['default EDS{foo1; -; -} node', 'default EDS{foo1; 1; A}']);
  expect(t.received(watcher)).toEqual(['RC(6)']);
  return watcher;
}

describe('the ADS client', () => {
  it(
    'subscribes with one request and one ACK, and cancels the stream after the last watcher (S01)',
    scenario({}, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      expect(t.connectionCalls()).toEqual(['connect default', 'open default']);
      expect(t.requests()).toEqual(['default EDS{foo1; -; -} node']);
      expect(t.csds()).toEqual(['EDS foo1 REQUESTED']);
      expect(t.metrics()).toEqual({
        connected: ['default 1'],
        failures: [],
        valid: [],
        invalid: [],
        resources: ['#old EDS requested 1'],
      });
      t.advance(500);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      expect(t.received(foo1)).toEqual(['RC(6)']);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 1 at 500']);
      expect(t.requests()).toEqual(['default EDS{foo1; 1; A}']);
      expect(t.metrics()).toEqual({
        connected: ['default 1'],
        failures: [],
        valid: ['default EDS 1'],
        invalid: [],
        resources: ['#old EDS acked 1'],
      });
      t.cancel(foo1);
      expect(t.connectionCalls()).toEqual(['cancel default', 'disconnect default']);
      expect(t.requests()).toEqual([]);
      expect(t.csds()).toEqual([]);
      expect(t.metrics().connected).toEqual([]);
    }),
  );

  it(
    'replaces the cached version, with the time of the new response (S02)',
    scenario({}, (t) => {
      const foo1 = watchFoo1(t);
      t.advance(700);
      t.respond('EDS', { version: '2', nonce: 'B', resources: [endpoints('foo1', 9)] });
      expect(t.received(foo1)).toEqual(['RC(9)']);
      expect(t.requests()).toEqual(['default EDS{foo1; 2; B}']);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 2 at 700']);
      expect(t.metrics().valid).toEqual(['default EDS 2']);
    }),
  );

  it(
    'gives the cached resource to a second watcher, and sends no request for it (S03)',
    scenario({}, (t) => {
      const first = watchFoo1(t);
      const second = t.watch('EDS', 'foo1');
      expect(t.received(second)).toEqual(['RC(6)']);
      expect(t.received(first)).toEqual([]);
      expect(t.requests()).toEqual([]);
      t.respond('EDS', { version: '2', nonce: 'B', resources: [endpoints('foo1', 9)] });
      expect(t.received(first)).toEqual(['RC(9)']);
      expect(t.received(second)).toEqual(['RC(9)']);
      expect(t.requests()).toEqual(['default EDS{foo1; 2; B}']);
      expect(t.metrics().resources).toEqual(['#old EDS acked 1']);
      t.cancel(first);
      expect(t.requests()).toEqual([]);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 2 at 0']);
      t.connectionCalls();
      t.cancel(second);
      expect(t.connectionCalls()).toEqual(['cancel default', 'disconnect default']);
    }),
  );

  it(
    'keeps a resource that an EDS response omits (S05)',
    scenario({}, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      const foo2 = t.watch('EDS', 'foo2');
      t.respond('EDS', { version: '1', nonce: 'B', resources: [endpoints('foo1', 6), endpoints('foo2', 7)] });
      expect(t.requests()).toEqual([
        'default EDS{foo1; -; -} node',
        'default EDS{foo1,foo2; -; -}',
        'default EDS{foo1,foo2; 1; B}',
      ]);
      expect([t.received(foo1), t.received(foo2)]).toEqual([['RC(6)'], ['RC(7)']]);
      t.respond('EDS', { version: '2', nonce: 'C', resources: [endpoints('foo1', 9)] });
      expect([t.received(foo1), t.received(foo2)]).toEqual([['RC(9)'], []]);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 2 at 0', 'EDS foo2 ACKED, 1 at 0']);
      expect(t.requests()).toEqual(['default EDS{foo1,foo2; 2; C}']);
    }),
  );

  it(
    'rejects an invalid resource, and reports the error to present and later watchers until a valid one arrives (S06)',
    scenario({}, (t) => {
      const first = t.watch('EDS', 'foo1');
      t.respond('EDS', { version: '1', nonce: 'A', resources: [bad('EDS', 'foo1')] });
      expect(t.received(first)).toEqual([`RE(${invalid('EDS')})`]);
      expect(t.requests()).toEqual([
        'default EDS{foo1; -; -} node',
        `default EDS{foo1; -; A}${nack(nackOf(0, 'foo1', 'EDS'))}`,
      ]);
      expect(t.csds()).toEqual([`EDS foo1 NACKED, error 1 at 0: invalid resource: ${REASONS.EDS}`]);
      expect(t.metrics()).toMatchObject({ valid: [], invalid: ['default EDS 1'], resources: ['#old EDS nacked 1'] });
      const second = t.watch('EDS', 'foo1');
      expect(t.received(second)).toEqual([`RE(${invalid('EDS')})`]);
      t.respond('EDS', { version: '2', nonce: 'B', resources: [endpoints('foo1', 9)] });
      expect([t.received(first), t.received(second)]).toEqual([['RC(9)'], ['RC(9)']]);
      expect(t.requests()).toEqual(['default EDS{foo1; 2; B}']);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 2 at 0']);
    }),
  );

  it(
    'lists all invalid resources of a response in one NACK, and uses the valid ones (S07)',
    scenario({}, (t) => {
      const watchers = ['foo1', 'foo2', 'foo3', 'foo4'].map((name) => t.watch('EDS', name));
      expect(t.requests()).toEqual([
        'default EDS{foo1; -; -} node',
        'default EDS{foo1,foo2; -; -}',
        'default EDS{foo1,foo2,foo3; -; -}',
        'default EDS{foo1,foo2,foo3,foo4; -; -}',
      ]);
      t.respond('EDS', {
        version: '1',
        nonce: 'A',
        resources: [
          bad('EDS', 'foo1'),
          garbage('EDS'),
          EMPTY,
          BAD_WRAPPER,
          wrapped('foo3', garbage('EDS')),
          endpoints('foo4', 5),
        ],
      });
      const undecodable = "Can't parse ClusterLoadAssignment resource.";
      expect(watchers.map((watcher) => t.received(watcher))).toEqual([
        [`RE(${invalid('EDS')})`],
        [],
        [`RE(INVALID_ARGUMENT: invalid resource: ${undecodable}${NODE})`],
        ['RC(5)'],
      ]);
      expect(t.requests()).toEqual([
        `default EDS{foo1,foo2,foo3,foo4; 1; A}${nack(
          nackOf(0, 'foo1', 'EDS'),
          `resource index 1: INVALID_ARGUMENT: ${undecodable}`,
          'resource index 2: incorrect resource type "" (should be "envoy.config.endpoint.v3.ClusterLoadAssignment")',
          "resource index 3: Can't decode Resource proto wrapper",
          `resource index 4: foo3: INVALID_ARGUMENT: ${undecodable}`,
        )}`,
      ]);
      expect(t.csds()).toEqual([
        `EDS foo1 NACKED, error 1 at 0: invalid resource: ${REASONS.EDS}`,
        'EDS foo2 REQUESTED',
        `EDS foo3 NACKED, error 1 at 0: invalid resource: ${undecodable}`,
        'EDS foo4 ACKED, 1 at 0',
      ]);
      expect(t.metrics()).toMatchObject({
        valid: ['default EDS 1'],
        invalid: ['default EDS 5'],
        resources: ['#old EDS nacked 2', '#old EDS requested 1', '#old EDS acked 1'],
      });
    }),
  );

  it(
    'drops the cached version when an update is NACKed with fail_on_data_errors (S09)',
    scenario({ servers: [{ uri: 'default', features: ['fail_on_data_errors'] }] }, (t) => {
      const first = watchFoo1(t);
      t.respond('EDS', { version: '2', nonce: 'B', resources: [bad('EDS', 'foo1')] });
      expect(t.received(first)).toEqual([`RE(${invalid('EDS')})`]);
      expect(t.requests()).toEqual([`default EDS{foo1; 1; B}${nack(nackOf(0, 'foo1', 'EDS'))}`]);
      expect(t.csds()).toEqual([`EDS foo1 NACKED, error 2 at 0: invalid resource: ${REASONS.EDS}`]);
      expect(t.metrics().resources).toEqual(['#old EDS nacked 1']);
      const second = t.watch('EDS', 'foo1');
      expect(t.received(second)).toEqual([`RE(${invalid('EDS')})`]);
      expect(t.requests()).toEqual([]);
    }),
  );

  it(
    'keeps the cached version when an update is NACKed with fail_on_data_errors but without A88 (S10)',
    scenario({ a88: false, servers: [{ uri: 'default', features: ['fail_on_data_errors'] }] }, (t) => {
      const first = watchFoo1(t);
      t.respond('EDS', { version: '2', nonce: 'B', resources: [bad('EDS', 'foo1')] });
      expect(t.received(first)).toEqual([`AE(${invalid('EDS')})`]);
      expect(t.requests()).toEqual([`default EDS{foo1; 1; B}${nack(nackOf(0, 'foo1', 'EDS'))}`]);
      expect(t.csds()).toEqual([`EDS foo1 NACKED, 1 at 0, error 2 at 0: invalid resource: ${REASONS.EDS}`]);
      expect(t.metrics().resources).toEqual(['#old EDS nacked_but_cached 1']);
      const second = t.watch('EDS', 'foo1');
      expect(t.received(second)).toEqual(['RC(6)', `AE(${invalid('EDS')})`]);
    }),
  );

  it(
    'deletes nothing when a response contains an empty resource (S11)',
    scenario({}, (t) => {
      const wc1 = t.watch('CDS', 'wc1');
      t.respond('CDS', { version: '1', nonce: 'A', resources: [good('CDS', 'wc1', 6), EMPTY] });
      expect(t.received(wc1)).toEqual(['RC(6)']);
      expect(t.requests()).toEqual([
        'default CDS{wc1; -; -} node',
        `default CDS{wc1; 1; A}${nack('resource index 1: incorrect resource type "" (should be "envoy.config.cluster.v3.Cluster")')}`,
      ]);
      expect(t.csds()).toEqual(['CDS wc1 ACKED, 1 at 0']);
    }),
  );

  it(
    'keeps a version and a nonce per type, also after the last name of the type (S13)',
    scenario({}, (t) => {
      const foo1 = watchFoo1(t);
      const bar1 = t.watch('RDS', 'bar1');
      expect(t.requests()).toEqual(['default RDS{bar1; -; -}']);
      t.respond('RDS', { version: '2', nonce: 'B', resources: [routes('bar1', 'x')] });
      expect(t.received(bar1)).toEqual(['RC(x)']);
      expect(t.requests()).toEqual(['default RDS{bar1; 2; B}']);
      t.cancel(foo1);
      expect(t.requests()).toEqual(['default EDS{; 1; A}']);
      t.respond('EDS', { version: '1', nonce: 'C' });
      expect(t.requests()).toEqual(['default EDS{; 1; C}']);
      const foo2 = t.watch('EDS', 'foo2');
      expect(t.requests()).toEqual(['default EDS{foo2; 1; C}']);
      expect([t.received(foo2), t.received(bar1)]).toEqual([[], []]);
      expect(t.connectionCalls()).toEqual(['connect default', 'open default']);
    }),
  );

  it(
    'sends no version in the NACK of the first response (S14)',
    scenario({}, (t) => {
      t.watch('LDS', 'l');
      t.respond('LDS', { version: '1', nonce: 'A', resources: [bad('LDS', 'l')] });
      expect(t.requests()).toEqual(['default LDS{l; -; -} node', `default LDS{l; -; A}${nack(nackOf(0, 'l', 'LDS'))}`]);
    }),
  );

  it(
    'sends the accepted version and the nonce of the rejected response in a NACK (S15)',
    scenario({}, (t) => {
      const l = t.watch('LDS', 'l');
      t.respond('LDS', { version: '1', nonce: 'A', resources: [listener('l', 'one')] });
      t.respond('LDS', { version: '2', nonce: 'B', resources: [bad('LDS', 'l')] });
      t.respond('LDS', { version: '3', nonce: 'C', resources: [listener('l', 'three')] });
      expect(t.requests()).toEqual([
        'default LDS{l; -; -} node',
        'default LDS{l; 1; A}',
        `default LDS{l; 1; B}${nack(nackOf(0, 'l', 'LDS'))}`,
        'default LDS{l; 3; C}',
      ]);
      expect(t.received(l)).toEqual(['RC(one)', `AE(${invalid('LDS')})`, 'RC(three)']);
    }),
  );

  it(
    'sends the node only in the first request of each stream (S17)',
    scenario({}, (t) => {
      watchFoo1(t);
      t.watch('RDS', 'bar1');
      expect(t.requests()).toEqual(['default RDS{bar1; -; -}']);
      t.end('UNAVAILABLE', 'gone');
      t.advance(1200);
      const again = t.requests();
      expect(again).toEqual(['default EDS{foo1; 1; -} node', 'default RDS{bar1; -; -}']);
      t.respond('RDS', { version: '1', nonce: 'B', resources: [routes('bar1', 'x')] });
      expect(t.requests()).toEqual(['default RDS{bar1; 1; B}']);
      expect(t.wire().requests.map(({ node }) => node?.userAgentName)).toEqual(['test', undefined, undefined]);
    }),
  );

  it(
    'rejects and reports the same invalid resource every time (S18)',
    scenario({}, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      const other = t.watch('EDS', 'other');
      t.requests();
      const bads = [bad('EDS', 'foo1'), bad('EDS', 'other')];
      for (const nonce of ['A', 'B', 'C']) t.respond('EDS', { version: '1', nonce, resources: bads });
      const why = nack(nackOf(0, 'foo1', 'EDS'), nackOf(1, 'other', 'EDS'));
      expect(t.requests()).toEqual(['A', 'B', 'C'].map((nonce) => `default EDS{foo1,other; -; ${nonce}}${why}`));
      const expected = Array(3).fill(`RE(${invalid('EDS')})`);
      expect([t.received(foo1), t.received(other)]).toEqual([expected, expected]);
    }),
  );

  it(
    'sends the ACK immediately, and reads the next response when all watchers have processed the last (S19)',
    scenario({}, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      const foo2 = t.watch('EDS', 'foo2');
      t.requests();
      t.holdsReadings = true;
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6), endpoints('foo2', 10)] });
      t.respond('EDS', { version: '2', nonce: 'B', resources: [endpoints('foo1', 8), endpoints('foo2', 12)] });
      expect([t.received(foo1), t.received(foo2)]).toEqual([['RC(6)'], ['RC(10)']]);
      expect(t.requests()).toEqual(['default EDS{foo1,foo2; 1; A}']);
      expect([t.wire().isReading, t.wire().inbox.length]).toEqual([false, 1]);
      t.release();
      expect([t.wire().isReading, t.wire().inbox.length]).toEqual([false, 1]);
      expect(t.requests()).toEqual([]);
      t.release();
      expect(t.wire().inbox).toEqual([]);
      expect([t.received(foo1), t.received(foo2)]).toEqual([['RC(8)'], ['RC(12)']]);
      expect(t.requests()).toEqual(['default EDS{foo1,foo2; 2; B}']);
      t.release();
      expect(t.wire().isReading).toBe(false);
      t.release();
      expect(t.wire().isReading).toBe(true);
    }),
  );

  it(
    'keeps a resource that is unwatched and watched again while a request is in flight (S21)',
    scenario({}, (t) => {
      const before = watchFoo1(t);
      t.timers();
      t.holdsWrites = true;
      const foo2 = t.watch('EDS', 'foo2');
      expect(t.requests()).toEqual(['default EDS{foo1,foo2; 1; A}']);
      t.cancel(before);
      const again = t.watch('EDS', 'foo1');
      expect(t.received(again)).toEqual(['RC(6)']);
      t.respond('EDS', { version: '2', nonce: 'B', resources: [endpoints('foo1', 6), endpoints('foo2', 7)] });
      expect([t.received(again), t.received(foo2)]).toEqual([[], ['RC(7)']]);
      expect(t.requests()).toEqual([]);
      t.holdsWrites = false;
      t.complete();
      expect(t.requests()).toEqual(['default EDS{foo1,foo2; 2; B}']);
      t.advance(60_000);
      expect([t.received(again), t.received(foo2), t.requests(), t.timers()]).toEqual([[], [], [], []]);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 2 at 0', 'EDS foo2 ACKED, 2 at 0']);
    }),
  );

  it(
    'hides an unwatched resource, and keeps it until the unsubscription is sent (S22)',
    scenario({}, (t) => {
      const before = t.watch('EDS', 'foo1');
      const foo2 = t.watch('EDS', 'foo2');
      t.requests();
      t.holdsWrites = true;
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6), endpoints('foo2', 7)] });
      expect(t.requests()).toEqual(['default EDS{foo1,foo2; 1; A}']);
      t.cancel(before);
      expect(t.csds()).toEqual(['EDS foo2 ACKED, 1 at 0']);
      expect(t.metrics().resources).toEqual(['#old EDS acked 1']);
      const again = t.watch('EDS', 'foo1');
      expect(t.received(again)).toEqual(['RC(6)']);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 1 at 0', 'EDS foo2 ACKED, 1 at 0']);
      expect(t.requests()).toEqual([]);
      t.holdsWrites = false;
      t.complete();
      expect(t.requests()).toEqual(['default EDS{foo1,foo2; 1; A}']);
      // When the unsubscription was sent, the cache entry is removed.
      t.cancel(again);
      expect(t.requests()).toEqual(['default EDS{foo2; 1; A}']);
      const newWatcher = t.watch('EDS', 'foo1');
      expect(t.received(newWatcher)).toEqual([]);
      expect(t.csds()).toEqual(['EDS foo1 REQUESTED', 'EDS foo2 ACKED, 1 at 0']);
      expect(t.received(foo2)).toEqual(['RC(7)']);
    }),
  );

  it(
    'lists two invalid listeners in one NACK (S23)',
    scenario({}, (t) => {
      t.watch('LDS', 'l1');
      t.watch('LDS', 'l2');
      t.requests();
      t.respond('LDS', { version: '1', nonce: 'A', resources: [bad('LDS', 'l1'), bad('LDS', 'l2')] });
      expect(t.requests()).toEqual([`default LDS{l1,l2; -; A}${nack(nackOf(0, 'l1', 'LDS'), nackOf(1, 'l2', 'LDS'))}`]);
    }),
  );

  it(
    'sends one request for all changes that are made while another request is in flight (R1.8)',
    scenario({}, (t) => {
      t.watch('CDS', 'x');
      t.watch('EDS', 'a');
      t.end('UNAVAILABLE', 'gone');
      t.requests();
      t.holdsWrites = true;
      t.advance(1200);
      t.watch('EDS', 'b');
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('a', 6)] });
      t.holdsWrites = false;
      t.complete();
      expect(t.requests()).toEqual(['default CDS{x; -; -} node', 'default EDS{a,b; 1; A}']);
    }),
  );
});

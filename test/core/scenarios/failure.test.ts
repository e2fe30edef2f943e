import { describe, expect, it } from 'vitest';
import { NODE, scenario } from './harness.js';
import { endpoints } from './resources.js';

const CHANNEL = 'xDS channel for server default: ';
const ENDED = `${CHANNEL}xDS call failed with no responses received; status: `;
const DOWN = `UNAVAILABLE: ${CHANNEL}channel in TRANSIENT_FAILURE: connection failed${NODE}`;

describe('the client', () => {
  it(
    'reports an error if a stream ends without a response, until a response arrives (S37)',
    scenario({}, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      expect(t.metrics().connected).toEqual(['default 1']);
      t.end('UNAVAILABLE', 'ugh');
      expect(t.received(foo1)).toEqual([`RE(UNAVAILABLE: ${ENDED}UNAVAILABLE: ugh${NODE})`]);
      expect(t.metrics()).toMatchObject({ connected: ['default 0'], failures: ['default 1'] });
      expect(t.csds()).toEqual(['EDS foo1 REQUESTED']);
      t.connectionCalls();
      t.requests();
      t.advance(799);
      expect(t.connectionCalls()).toEqual([]);
      t.advance(401);
      expect(t.connectionCalls()).toEqual(['open default']);
      expect(t.requests()).toEqual(['default EDS{foo1; -; -} node']);
      expect(t.metrics().connected).toEqual(['default 0']);
      // The second failure is reported again, but counts as the same failure. The backoff is longer.
      t.end('OK', '');
      expect(t.received(foo1)).toEqual([`RE(UNAVAILABLE: ${ENDED}OK${NODE})`]);
      expect(t.metrics()).toMatchObject({ connected: ['default 0'], failures: ['default 1'] });
      t.advance(1279);
      expect(t.connectionCalls()).toEqual([]);
      t.advance(641);
      expect(t.connectionCalls()).toEqual(['open default']);
      expect(t.requests()).toEqual(['default EDS{foo1; -; -} node']);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      expect(t.received(foo1)).toEqual(['RC(6)']);
      expect(t.requests()).toEqual(['default EDS{foo1; 1; A}']);
      expect(t.metrics()).toMatchObject({ connected: ['default 1'], failures: ['default 1'] });
    }),
  );

  it(
    'reports a connection error, and starts no resource timer until the connection is ready (S38)',
    scenario({}, (t) => {
      t.holdsWrites = true;
      const first = t.watch('EDS', 'foo1');
      t.connectivity('transient-failure', 'connection failed');
      expect(t.received(first)).toEqual([`RE(${DOWN})`]);
      expect(t.metrics()).toMatchObject({ connected: ['default 0'], failures: ['default 1'] });
      const second = t.watch('EDS', 'foo1');
      expect(t.received(second)).toEqual([`RE(${DOWN})`]);
      t.advance(60_000);
      expect([t.received(first), t.received(second), t.timers()]).toEqual([[], [], []]);
      t.holdsWrites = false;
      t.connectivity('ready');
      expect(t.timers()).toEqual(['started EDS foo1 15000']);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      expect([t.received(first), t.received(second)]).toEqual([['RC(6)'], ['RC(6)']]);
      expect(t.requests()).toEqual(['default EDS{foo1; -; -} node', 'default EDS{foo1; 1; A}']);
      expect(t.connectionCalls()).toEqual(['connect default', 'open default']);
      expect(t.metrics()).toMatchObject({ connected: ['default 1'], failures: ['default 1'] });
    }),
  );

  it(
    'reports a connection error as ambient error of a cached resource, and clears it with the next response (S39)',
    scenario({}, (t) => {
      const first = t.watch('EDS', 'foo1');
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      expect(t.received(first)).toEqual(['RC(6)']);
      t.connectivity('transient-failure', 'connection failed');
      expect(t.received(first)).toEqual([`AE(${DOWN})`]);
      t.end('UNAVAILABLE', 'connection failed');
      expect(t.received(first)).toEqual([]);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 1 at 0']);
      t.requests();
      t.advance(1200);
      expect(t.requests()).toEqual(['default EDS{foo1; 1; -} node']);
      const second = t.watch('EDS', 'foo1');
      expect(t.received(second)).toEqual(['RC(6)', `AE(${DOWN})`]);
      t.connectivity('ready');
      expect(t.metrics().connected).toEqual(['default 0']);
      t.respond('EDS', { version: '1', nonce: 'B', resources: [endpoints('foo1', 6)] });
      expect([t.received(first), t.received(second)]).toEqual([['AE(OK)'], ['AE(OK)']]);
      expect(t.requests()).toEqual(['default EDS{foo1; 1; B}']);
      expect(t.metrics()).toMatchObject({ connected: ['default 1'], failures: ['default 1'] });
    }),
  );

  it(
    'requests the same names after a stream ends, with the version and without the nonce (S41)',
    scenario({}, (t) => {
      const watchers = ['a', 'b'].map((name) => t.watch('EDS', name));
      t.respond('EDS', { version: '3', nonce: 'A', resources: [endpoints('a', 6), endpoints('b', 7)] });
      expect(t.requests().at(-1)).toBe('default EDS{a,b; 3; A}');
      t.end('UNAVAILABLE', 'server dies');
      t.advance(1200);
      expect(t.requests()).toEqual(['default EDS{a,b; 3; -} node']);
      t.respond('EDS', { version: '3', nonce: 'A2', resources: [endpoints('a', 6), endpoints('b', 7)] });
      expect(t.requests()).toEqual(['default EDS{a,b; 3; A2}']);
      expect(watchers.map((watcher) => t.received(watcher))).toEqual([['RC(6)'], ['RC(7)']]);
      expect(t.metrics().failures).toEqual([]);
      // The backoff does not grow, since each stream received a response.
      for (const nonce of ['A3', 'A4', 'A5']) {
        t.end('UNAVAILABLE', 'server dies');
        t.advance(1200);
        expect(t.requests()).toEqual(['default EDS{a,b; 3; -} node']);
        t.respond('EDS', { version: '3', nonce });
        expect(t.requests()).toEqual([`default EDS{a,b; 3; ${nonce}}`]);
      }
      expect(watchers.map((watcher) => t.received(watcher))).toEqual([[], []]);
    }),
  );

  it(
    'requests names that were watched during backoff on the next stream (S42)',
    scenario({}, (t) => {
      const a = t.watch('EDS', 'a');
      t.end('UNAVAILABLE', 'no');
      t.requests();
      t.connectionCalls();
      const b = t.watch('EDS', 'b');
      expect([t.requests(), t.connectionCalls()]).toEqual([[], []]);
      const error = `RE(UNAVAILABLE: ${ENDED}UNAVAILABLE: no${NODE})`;
      expect([t.received(a), t.received(b)]).toEqual([[error], [error]]);
      t.advance(1200);
      expect(t.requests()).toEqual(['default EDS{a,b; -; -} node']);
      expect(t.connectionCalls()).toEqual(['open default']);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('a', 6), endpoints('b', 7)] });
      expect([t.received(a), t.received(b)]).toEqual([['RC(6)'], ['RC(7)']]);
    }),
  );

  it(
    'fails RPCs with the status of the stream and the node ID (S43)',
    scenario({}, (t) => {
      t.follow('s');
      t.end('RESOURCE_EXHAUSTED', 'm');
      expect(t.rpc('s')).toBe(`UNAVAILABLE: empty address list (LDS resource s: ${ENDED}RESOURCE_EXHAUSTED: m${NODE})`);
    }),
  );
});

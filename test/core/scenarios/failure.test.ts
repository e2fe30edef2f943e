import { describe, expect, it } from 'vitest';
import { NODE, scenario } from './harness.js';
import { endpoints } from './resources.js';

const CHANNEL = 'xDS channel for server default: ';
const ENDED = `${CHANNEL}xDS call failed with no responses received; status: `;
const DOWN = `UNAVAILABLE: ${CHANNEL}channel in TRANSIENT_FAILURE: connection failed${NODE}`;

describe('failure and recovery', () => {
  it(
    'S37 a stream that ends without a response is an error, until a response comes',
    scenario({}, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      expect(t.metrics().connected).toEqual(['default 1']);
      t.end('UNAVAILABLE', 'ugh');
      expect(t.heard(foo1)).toEqual([`RE(UNAVAILABLE: ${ENDED}UNAVAILABLE: ugh${NODE})`]);
      expect(t.metrics()).toMatchObject({ connected: ['default 0'], failures: ['default 1'] });
      expect(t.csds()).toEqual(['EDS foo1 REQUESTED']);
      t.calls();
      t.requests();
      t.advance(799);
      expect(t.calls()).toEqual([]);
      t.advance(401);
      expect(t.calls()).toEqual(['open default']);
      expect(t.requests()).toEqual(['default EDS{foo1; -; -} node']);
      expect(t.metrics().connected).toEqual(['default 0']);
      // Once more: told again, but it is still the same failure; and the wait is longer.
      t.end('OK', '');
      expect(t.heard(foo1)).toEqual([`RE(UNAVAILABLE: ${ENDED}OK${NODE})`]);
      expect(t.metrics()).toMatchObject({ connected: ['default 0'], failures: ['default 1'] });
      t.advance(1279);
      expect(t.calls()).toEqual([]);
      t.advance(641);
      expect(t.calls()).toEqual(['open default']);
      expect(t.requests()).toEqual(['default EDS{foo1; -; -} node']);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      expect(t.heard(foo1)).toEqual(['RC(6)']);
      expect(t.requests()).toEqual(['default EDS{foo1; 1; A}']);
      expect(t.metrics()).toMatchObject({ connected: ['default 1'], failures: ['default 1'] });
    }),
  );

  it(
    'S38 while the connection fails, watchers hear of it and nothing is waited for; the stream goes on when it is there',
    scenario({}, (t) => {
      t.holdsWrites = true;
      const first = t.watch('EDS', 'foo1');
      t.connectivity('transient-failure', 'connection failed');
      expect(t.heard(first)).toEqual([`RE(${DOWN})`]);
      expect(t.metrics()).toMatchObject({ connected: ['default 0'], failures: ['default 1'] });
      const second = t.watch('EDS', 'foo1');
      expect(t.heard(second)).toEqual([`RE(${DOWN})`]);
      t.advance(60_000);
      expect([t.heard(first), t.heard(second), t.timers()]).toEqual([[], [], []]);
      t.holdsWrites = false;
      t.connectivity('ready');
      expect(t.timers()).toEqual(['started EDS foo1 15000']);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      expect([t.heard(first), t.heard(second)]).toEqual([['RC(6)'], ['RC(6)']]);
      expect(t.requests()).toEqual(['default EDS{foo1; -; -} node', 'default EDS{foo1; 1; A}']);
      expect(t.calls()).toEqual(['connect default', 'open default']);
      expect(t.metrics()).toMatchObject({ connected: ['default 1'], failures: ['default 1'] });
    }),
  );

  it(
    'S39 with a cached resource, a lost connection is an error beside it, which the same resource clears',
    scenario({}, (t) => {
      const first = t.watch('EDS', 'foo1');
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      expect(t.heard(first)).toEqual(['RC(6)']);
      t.connectivity('transient-failure', 'connection failed');
      expect(t.heard(first)).toEqual([`AE(${DOWN})`]);
      t.end('UNAVAILABLE', 'connection failed');
      expect(t.heard(first)).toEqual([]);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 1 at 0']);
      t.requests();
      t.advance(1200);
      expect(t.requests()).toEqual(['default EDS{foo1; 1; -} node']);
      const second = t.watch('EDS', 'foo1');
      expect(t.heard(second)).toEqual(['RC(6)', `AE(${DOWN})`]);
      t.connectivity('ready');
      expect(t.metrics().connected).toEqual(['default 0']);
      t.respond('EDS', { version: '1', nonce: 'B', resources: [endpoints('foo1', 6)] });
      expect([t.heard(first), t.heard(second)]).toEqual([['AE(OK)'], ['AE(OK)']]);
      expect(t.requests()).toEqual(['default EDS{foo1; 1; B}']);
      expect(t.metrics()).toMatchObject({ connected: ['default 1'], failures: ['default 1'] });
    }),
  );

  it(
    'S41 after a broken stream the same is asked for, with the version and without the nonce',
    scenario({}, (t) => {
      const watchers = ['a', 'b'].map((name) => t.watch('EDS', name));
      t.respond('EDS', { version: '3', nonce: 'A', resources: [endpoints('a', 6), endpoints('b', 7)] });
      expect(t.requests().at(-1)).toBe('default EDS{a,b; 3; A}');
      t.end('UNAVAILABLE', 'server dies');
      t.advance(1200);
      expect(t.requests()).toEqual(['default EDS{a,b; 3; -} node']);
      t.respond('EDS', { version: '3', nonce: 'A2', resources: [endpoints('a', 6), endpoints('b', 7)] });
      expect(t.requests()).toEqual(['default EDS{a,b; 3; A2}']);
      expect(watchers.map((watcher) => t.heard(watcher))).toEqual([['RC(6)'], ['RC(7)']]);
      expect(t.metrics().failures).toEqual([]);
      // However often this happens: each time a response came, so the wait does not grow.
      for (const nonce of ['A3', 'A4', 'A5']) {
        t.end('UNAVAILABLE', 'server dies');
        t.advance(1200);
        expect(t.requests()).toEqual(['default EDS{a,b; 3; -} node']);
        t.respond('EDS', { version: '3', nonce });
        expect(t.requests()).toEqual([`default EDS{a,b; 3; ${nonce}}`]);
      }
      expect(watchers.map((watcher) => t.heard(watcher))).toEqual([[], []]);
    }),
  );

  it(
    'S42 what is watched while there can be no stream is asked for as soon as there is one',
    scenario({}, (t) => {
      const a = t.watch('EDS', 'a');
      t.end('UNAVAILABLE', 'no');
      t.requests();
      t.calls();
      const b = t.watch('EDS', 'b');
      expect([t.requests(), t.calls()]).toEqual([[], []]);
      const error = `RE(UNAVAILABLE: ${ENDED}UNAVAILABLE: no${NODE})`;
      expect([t.heard(a), t.heard(b)]).toEqual([[error], [error]]);
      t.advance(1200);
      expect(t.requests()).toEqual(['default EDS{a,b; -; -} node']);
      expect(t.calls()).toEqual(['open default']);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('a', 6), endpoints('b', 7)] });
      expect([t.heard(a), t.heard(b)]).toEqual([['RC(6)'], ['RC(7)']]);
    }),
  );

  it(
    'S43 RPCs fail with what the stream ended with, and name the node',
    scenario({}, (t) => {
      t.follow('s');
      t.end('RESOURCE_EXHAUSTED', 'm');
      expect(t.rpc('s')).toBe(`UNAVAILABLE: empty address list (LDS resource s: ${ENDED}RESOURCE_EXHAUSTED: m${NODE})`);
    }),
  );
});

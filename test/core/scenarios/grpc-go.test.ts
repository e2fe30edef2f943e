import { describe, expect, it } from 'vitest';
import { scenario } from './harness.js';
import { cluster, endpoints, listener, routes } from './resources.js';

const ONE = { preset: 'grpc-go', a88: false } as const;
const PQ = { ...ONE, servers: ['P', 'Q'] };

describe('the client of grpc-go', () => {
  it(
    'opens the next stream without backoff after a response, with the version but not the nonce',
    scenario(ONE, (t) => {
      t.watch('EDS', 'foo1');
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      t.requests();
      t.end('UNAVAILABLE', 'bye');
      t.advance(0);
      expect(t.requests()).toEqual(['default EDS{foo1; 1; -} node']);
    }),
  );

  it(
    'does not set the version of a response that is partly invalid',
    scenario(ONE, (t) => {
      t.watch('EDS', 'foo1');
      t.requests();
      const invalid = { ...endpoints('foo2', 1), value: new Uint8Array([255]) };
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6), invalid] });
      expect(t.requests()).toEqual([expect.stringMatching(/^default EDS\{foo1; -; A\}.+/)]);
    }),
  );

  it(
    'skips a response of a type that it has not requested, and reads on',
    scenario(ONE, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      t.respond('CDS', { version: '1', nonce: 'C', resources: [cluster('c')] });
      t.requests();
      t.respond('EDS', { version: '2', nonce: 'E', resources: [endpoints('foo1', 6)] });
      expect(t.requests()).toEqual(['default EDS{foo1; 2; E}']);
      expect(t.received(foo1)).toEqual(['RC(6)']);
    }),
  );

  it(
    'starts one resource timer per name and server, also if the resource is cached',
    scenario(PQ, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] }, 'P');
      t.end('UNAVAILABLE', 'bye', 'P');
      t.advance(0);
      t.watch('EDS', 'foo2');
      t.end('UNAVAILABLE', 'bye', 'P');
      expect(t.received(foo1)).toEqual(['RC(6)']);
      t.advance(16_000);
      expect(t.received(foo1).at(-1)).toMatch(/^RE\(.*resource "foo1" of type "EndpointsResource" has been removed/);
    }),
  );

  it(
    'requests a name that was first watched during a fallback only from the active server',
    scenario(PQ, (t) => {
      t.watch('EDS', 'foo1');
      t.end('UNAVAILABLE', 'bye', 'P');
      t.requests();
      t.watch('EDS', 'foo2');
      expect(t.requests()).toEqual(['Q EDS{foo1,foo2; -; -}']);
      t.advance(2_000);
      expect(t.requests()).toEqual(['P EDS{foo1; -; -} node']);
    }),
  );

  it(
    'does not tell a new watcher that the server is unreachable',
    scenario(ONE, (t) => {
      t.watch('EDS', 'foo1');
      t.end('UNAVAILABLE', 'bye');
      expect(t.received(t.watch('EDS', 'foo2'))).toEqual([]);
    }),
  );

  it(
    'forgets a resource with its last watcher',
    scenario(ONE, (t) => {
      t.watch('EDS', 'foo1');
      const foo2 = t.watch('EDS', 'foo2');
      t.holdsWrites = true;
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo2', 6)] });
      t.cancel(foo2);
      expect(t.received(t.watch('EDS', 'foo2'))).toEqual([]);
    }),
  );

  it(
    'ends the watch of the routes when the listener is deleted',
    scenario(ONE, (t) => {
      t.follow('s');
      t.respond('LDS', { version: '1', nonce: 'L', resources: [listener('s', 'r')] });
      t.respond('RDS', { version: '1', nonce: 'R', resources: [routes('r', 'c')] });
      t.requests();
      t.respond('LDS', { version: '2', nonce: 'M' });
      expect(t.requests()).toEqual(['default LDS{s; 2; M}', 'default RDS{; 1; R}']);
    }),
  );
});

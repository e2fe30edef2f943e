import { describe, expect, it } from 'vitest';
import { readBootstrap } from '../../../src/bootstrap/read-bootstrap.js';
import { type Preset, readSwitches } from '../../../src/bootstrap/switches.js';
import { engineOptions } from '../../../src/engine/options.js';
import { NODE, scenario, TestClient } from './harness.js';
import { cluster, endpoints, listener, routes } from './resources.js';

const PQ = { servers: ['P', 'Q'] };
const DOWN = 'transient-failure';

const down = (server: string): string =>
  `UNAVAILABLE: xDS channel for server ${server}: channel in TRANSIENT_FAILURE: no way${NODE}`;

/** Sends foo1 and foo2 with the given values. */
function sendBoth(t: TestClient, server: string, version: string, foo1: number, foo2: number): void {
  t.respond('EDS', { version, nonce: 'n', resources: [endpoints('foo1', foo1), endpoints('foo2', foo2)] }, server);
}

/** Sends all resources of a target. */
function sendAll(
  t: TestClient,
  server: string,
  version: string,
  routesName: string,
  name: string,
  value: number,
): void {
  t.respond('LDS', { version, nonce: `l${version}`, resources: [listener('s', routesName)] }, server);
  t.respond('RDS', { version, nonce: `r${version}`, resources: [routes(routesName, name)] }, server);
  t.respond('CDS', { version, nonce: `c${version}`, resources: [cluster(name)] }, server);
  t.respond('EDS', { version, nonce: `e${version}`, resources: [endpoints(name, value)] }, server);
}

describe('fallback', () => {
  it(
    'requests all resources from the next server when a new one is watched, and ends when the first responds (S65)',
    scenario(PQ, (t) => {
      const first = t.watch('EDS', 'foo1');
      t.respond('EDS', { version: '20', nonce: 'O', resources: [endpoints('foo1', 6)] }, 'P');
      expect(t.requests()).toEqual(['P EDS{foo1; -; -} node', 'P EDS{foo1; 20; O}']);
      expect(t.received(first)).toEqual(['RC(6)']);
      t.connectivity(DOWN, 'no way', 'P');
      expect(t.received(first)).toEqual([`AE(${down('P')})`]);
      t.end('UNAVAILABLE', 'no way', 'P');
      expect(t.received(first)).toEqual([]);
      expect(t.connectionCalls()).toEqual(['connect P', 'open P']);
      t.advance(1200);
      expect(t.connectionCalls()).toEqual(['open P']);
      expect(t.requests()).toEqual(['P EDS{foo1; 20; -} node']);
      t.connectivity('ready', '', 'P');
      const second = t.watch('EDS', 'foo1');
      expect(t.received(second)).toEqual(['RC(6)', `AE(${down('P')})`]);
      expect(t.connectionCalls()).toEqual([]);
      const foo2 = t.watch('EDS', 'foo2');
      expect(t.connectionCalls()).toEqual(['connect Q', 'open Q']);
      expect(t.requests().sort()).toEqual(['P EDS{foo1,foo2; 20; -}', 'Q EDS{foo1,foo2; -; -} node']);
      expect(t.received(foo2)).toEqual([]);
      expect(t.metrics()).toMatchObject({ connected: ['P 0', 'Q 1'], failures: ['P 1'] });
      sendBoth(t, 'Q', '5', 20, 30);
      expect([first, second, foo2].map((watcher) => t.received(watcher))).toEqual([['RC(20)'], ['RC(20)'], ['RC(30)']]);
      expect(t.requests()).toEqual(['Q EDS{foo1,foo2; 5; n}']);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 5 at 1200', 'EDS foo2 ACKED, 5 at 1200']);
      expect(t.metrics().connected).toEqual(['P 0', 'Q 1']);
      sendBoth(t, 'P', '21', 40, 50);
      expect([first, second, foo2].map((watcher) => t.received(watcher))).toEqual([['RC(40)'], ['RC(40)'], ['RC(50)']]);
      expect(t.connectionCalls()).toEqual(['cancel Q', 'disconnect Q']);
      expect(t.requests()).toEqual(['P EDS{foo1,foo2; 21; n}']);
      expect(t.metrics()).toMatchObject({ connected: ['P 1'], failures: ['P 1'] });
    }),
  );

  it(
    'notifies watchers only when no server is left, with the error of the last one (S66)',
    scenario(PQ, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      t.connectivity(DOWN, 'no way', 'P');
      expect(t.received(foo1)).toEqual([]);
      expect(t.connectionCalls()).toEqual(['connect P', 'open P', 'connect Q', 'open Q']);
      expect(t.requests()).toEqual(['P EDS{foo1; -; -} node', 'Q EDS{foo1; -; -} node']);
      expect(t.metrics()).toMatchObject({ connected: ['P 0', 'Q 1'], failures: ['P 1'] });
      expect(t.csds()).toEqual(['EDS foo1 REQUESTED']);
      t.connectivity(DOWN, 'no way', 'Q');
      expect(t.received(foo1)).toEqual([`RE(${down('Q')})`]);
      expect(t.metrics()).toMatchObject({ connected: ['P 0', 'Q 0'], failures: ['P 1', 'Q 1'] });
      expect(t.csds()).toEqual(['EDS foo1 REQUESTED']);
      t.cancel(foo1);
      expect(t.connectionCalls().sort()).toEqual(['cancel P', 'cancel Q', 'disconnect P', 'disconnect Q']);
    }),
  );

  it(
    'ends when a server that was unreachable at the start responds on its first stream (S67)',
    scenario(PQ, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      t.connectivity(DOWN, 'no way', 'P');
      t.respond('EDS', { version: '20', nonce: 'O', resources: [endpoints('foo1', 6)] }, 'Q');
      expect(t.received(foo1)).toEqual(['RC(6)']);
      expect(t.requests()).toEqual(['P EDS{foo1; -; -} node', 'Q EDS{foo1; -; -} node', 'Q EDS{foo1; 20; O}']);
      t.connectivity('ready', '', 'P');
      t.connectionCalls();
      t.respond('EDS', { version: '5', nonce: 'A', resources: [endpoints('foo1', 11)] }, 'P');
      expect(t.received(foo1)).toEqual(['RC(11)']);
      expect(t.connectionCalls()).toEqual(['cancel Q', 'disconnect Q']);
      expect(t.requests()).toEqual(['P EDS{foo1; 5; A}']);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 5 at 0']);
      expect(t.metrics().connected).toEqual(['P 1']);
    }),
  );

  it('on reachability only requires the bootstrap field and the environment switch (S69)', () => {
    const name = 'xdstp://a/envoy.config.endpoint.v3.ClusterLoadAssignment/foo1';
    const server = (uri: string): object => ({ server_uri: uri, channel_creds: [{ type: 'insecure' }] });
    const text = JSON.stringify({
      xds_servers: [server('unused')],
      node: { id: 'me' },
      authorities: { a: { xds_servers: [server('P'), server('Q')], fallback_on_reachability_only: true } },
    });
    const afterFailure = (preset: Preset, variables: Record<string, string>): [updates: string[], calls: string[]] => {
      const read = readBootstrap(new TextEncoder().encode(text), readSwitches(variables, preset));
      if (!read.ok) throw new Error(read.message);
      const environment = { userAgentName: 'test', userAgentVersion: '0', interfaces: new Map(), seed: 1 };
      const t = new TestClient({
        preset,
        engine: engineOptions(read.bootstrap, { preset, variables, ...environment }),
      });
      const foo1 = t.watch('EDS', name);
      t.respond('EDS', { version: '20', nonce: 'O', resources: [endpoints(name, 6)] }, 'P');
      expect([t.received(foo1), t.connectionCalls()]).toEqual([['RC(6)'], ['connect P', 'open P']]);
      t.connectivity(DOWN, 'no way', 'P');
      const result: [string[], string[]] = [t.received(foo1), t.connectionCalls()];
      t.close();
      return result;
    };
    for (const preset of ['spec', 'c-core'] as const) {
      expect(afterFailure(preset, {})).toEqual([[`AE(${down('P')})`], []]);
      expect(afterFailure(preset, { GRPC_EXPERIMENTAL_XDS_ENDPOINT_FALLBACK: 'true' })).toEqual([
        [],
        ['connect Q', 'open Q'],
      ]);
    }
  });

  it('skips unreachable servers, and returns to the first (S70)', () => {
    scenario({ servers: ['P', 'B', 'Q'] }, (t) => {
      t.follow('s');
      t.connectivity(DOWN, 'no way', 'P');
      t.connectivity(DOWN, 'no way', 'B');
      expect(t.rpc('s')).toBe('none');
      sendAll(t, 'Q', '1', 'r', 'c', 6);
      expect(t.rpc('s')).toBe('ok r 6');
      expect(t.connectionCalls()).toEqual(['connect P', 'open P', 'connect B', 'open B', 'connect Q', 'open Q']);
      t.connectivity('ready', '', 'P');
      sendAll(t, 'P', '9', 'r', 'c', 7);
      expect(t.rpc('s')).toBe('ok r 7');
      expect(t.connectionCalls().sort()).toEqual(['cancel B', 'cancel Q', 'disconnect B', 'disconnect Q']);
    })();
    // Skips a server that another authority already found to be unreachable.
    scenario({ servers: ['P', 'B', 'Q'], authorities: { a: ['B'] } }, (t) => {
      const x = 'xdstp://a/envoy.config.endpoint.v3.ClusterLoadAssignment/x';
      const own = t.watch('EDS', x);
      t.connectivity(DOWN, 'no way', 'B');
      expect(t.received(own)).toEqual([`RE(${down('B')})`]);
      const foo1 = t.watch('EDS', 'foo1');
      t.connectionCalls();
      t.requests();
      t.connectivity(DOWN, 'no way', 'P');
      expect(t.received(foo1)).toEqual([]);
      expect(t.connectionCalls()).toEqual(['connect Q', 'open Q']);
      expect(t.requests()).toEqual([`B EDS{foo1,${x}; -; -}`, 'Q EDS{foo1; -; -} node']);
    })();
  });

  it(
    'fails RPCs with the status of the last server if the streams to all servers fail (S71)',
    scenario(PQ, (t) => {
      t.follow('s');
      t.end('UNAVAILABLE', 'first', 'P');
      expect(t.rpc('s')).toBe('none');
      t.end('PERMISSION_DENIED', 'second', 'Q');
      expect(t.rpc('s')).toBe(
        `UNAVAILABLE: empty address list (LDS resource s: xDS channel for server Q: xDS call failed with no responses received; status: PERMISSION_DENIED: second${NODE})`,
      );
    }),
  );

  it(
    'uses the servers of each authority, and returns to the server that authorities share (S73)',
    scenario({ servers: ['top'], authorities: { a1: ['P', 'Q1'], a2: ['P', 'Q2'] } }, (t) => {
      const [name1, name2] = ['a1', 'a2'].map(
        (authority) => `xdstp://${authority}/envoy.config.endpoint.v3.ClusterLoadAssignment/x`,
      ) as [string, string];
      const one = t.watch('EDS', name1);
      const two = t.watch('EDS', name2);
      expect(t.requests()).toEqual([`P EDS{${name1}; -; -} node`, `P EDS{${name1},${name2}; -; -}`]);
      expect(t.connectionCalls()).toEqual(['connect P', 'open P']);
      t.connectivity(DOWN, 'no way', 'P');
      expect(t.connectionCalls()).toEqual(['connect Q1', 'open Q1', 'connect Q2', 'open Q2']);
      expect(t.requests()).toEqual([`Q1 EDS{${name1}; -; -} node`, `Q2 EDS{${name2}; -; -} node`]);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints(name1, 6)] }, 'Q1');
      t.respond('EDS', { version: '1', nonce: 'B', resources: [endpoints(name2, 7)] }, 'Q2');
      expect([t.received(one), t.received(two)]).toEqual([['RC(6)'], ['RC(7)']]);
      t.connectivity('ready', '', 'P');
      t.requests();
      const resources = [endpoints(name1, 8), endpoints(name2, 9)];
      t.respond('EDS', { version: '5', nonce: 'C', resources }, 'P');
      expect([t.received(one), t.received(two)]).toEqual([['RC(8)'], ['RC(9)']]);
      expect(t.connectionCalls()).toEqual(['cancel Q1', 'disconnect Q1', 'cancel Q2', 'disconnect Q2']);
      expect(t.requests()).toEqual([`P EDS{${name1},${name2}; 5; C}`]);
      expect(t.metrics().connected).toEqual(['P 1']);
    }),
  );

  it(
    'tries every server at the start, but not when all resources are cached (S74)',
    scenario(PQ, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      t.connectivity(DOWN, 'no way', 'P');
      t.connectivity(DOWN, 'no way', 'Q');
      expect(t.received(foo1)).toEqual([`RE(${down('Q')})`]);
      expect(t.connectionCalls()).toEqual(['connect P', 'open P', 'connect Q', 'open Q']);
      t.connectivity('ready', '', 'Q');
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] }, 'Q');
      expect(t.received(foo1)).toEqual(['RC(6)']);
      t.connectivity('ready', '', 'P');
      t.respond('EDS', { version: '9', nonce: 'B', resources: [endpoints('foo1', 7)] }, 'P');
      expect(t.received(foo1)).toEqual(['RC(7)']);
      expect(t.connectionCalls()).toEqual(['cancel Q', 'disconnect Q']);
      t.end('UNAVAILABLE', 'gone', 'P');
      t.connectivity(DOWN, 'no way', 'P');
      expect(t.received(foo1)).toEqual([`AE(${down('P')})`]);
      t.advance(60_000);
      expect(t.connectionCalls()).toEqual(['open P']);
      expect(t.received(foo1)).toEqual([]);
    }),
  );

  it(
    'occurs when a server fails in the middle of an update, and ends when it returns (S75)',
    scenario(PQ, (t) => {
      t.follow('s');
      sendAll(t, 'P', '1', 'r', 'c', 6);
      expect(t.rpc('s', 'c')).toBe('ok r 6');
      t.respond('LDS', { version: '2', nonce: 'l2', resources: [listener('s', 'r2')] }, 'P');
      t.respond('RDS', { version: '2', nonce: 'r2', resources: [routes('r2', 'c2')] }, 'P');
      expect(t.requests().at(-1)).toBe('P CDS{c,c2; 1; c1}');
      t.end('UNAVAILABLE', 'dies', 'P');
      expect(t.connectionCalls()).toEqual(['connect P', 'open P']);
      t.connectivity(DOWN, 'no way', 'P');
      expect(t.connectionCalls()).toEqual(['connect Q', 'open Q']);
      expect(t.requests()).toEqual(['Q LDS{s; -; -} node', 'Q RDS{r2; -; -}', 'Q CDS{c,c2; -; -}', 'Q EDS{c; -; -}']);
      sendAll(t, 'Q', '7', 'r2', 'c2', 8);
      expect(t.rpc('s', 'c2')).toBe('ok r2 8');
      t.advance(1200);
      t.connectivity('ready', '', 'P');
      sendAll(t, 'P', '3', 'r2', 'c2', 9);
      expect(t.rpc('s', 'c2')).toBe('ok r2 9');
      expect(t.connectionCalls()).toEqual(['open P', 'cancel Q', 'disconnect Q']);
      expect(t.metrics().connected).toEqual(['P 1']);
    }),
  );

  it(
    'uses the server of highest priority that responds, and closes those below it (S77)',
    scenario({ servers: ['A', 'B', 'C'] }, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      const respond = (server: string, value: number): void =>
        t.respond('EDS', { version: '1', nonce: server, resources: [endpoints('foo1', value)] }, server);
      t.connectivity(DOWN, 'no way', 'A');
      t.connectivity(DOWN, 'no way', 'B');
      respond('C', 3);
      expect(t.received(foo1)).toEqual(['RC(3)']);
      expect(t.connectionCalls()).toEqual(['connect A', 'open A', 'connect B', 'open B', 'connect C', 'open C']);
      t.connectivity('ready', '', 'B');
      respond('B', 2);
      expect(t.received(foo1)).toEqual(['RC(2)']);
      expect(t.connectionCalls()).toEqual(['cancel C', 'disconnect C']);
      t.connectivity('ready', '', 'A');
      respond('A', 1);
      expect(t.received(foo1)).toEqual(['RC(1)']);
      expect(t.connectionCalls()).toEqual(['cancel B', 'disconnect B']);
      expect(t.requests().at(-1)).toBe('A EDS{foo1; 1; A}');
    }),
  );

  it(
    'hides the failure of the first server, and reports that of the second as an ambient error (S78)',
    scenario(PQ, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      t.connectivity(DOWN, 'no way', 'P');
      t.advance(500);
      expect(t.received(foo1)).toEqual([]);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] }, 'Q');
      expect(t.received(foo1)).toEqual(['RC(6)']);
      t.end('UNAVAILABLE', 'stops', 'Q');
      expect(t.received(foo1)).toEqual([]);
      t.connectivity(DOWN, 'no way', 'Q');
      expect(t.received(foo1)).toEqual([`AE(${down('Q')})`]);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 1 at 500']);
    }),
  );

  it(
    'replaces cached resources with those of the fallback server; a resource that it lacks does not exist (S79)',
    scenario(PQ, (t) => {
      const l = t.watch('LDS', 'l');
      const main = t.watch('CDS', 'c1');
      t.respond('LDS', { version: '1', nonce: 'A', resources: [listener('l', 'main')] }, 'P');
      t.respond('CDS', { version: '1', nonce: 'B', resources: [cluster('c1', 6)] }, 'P');
      expect([t.received(l), t.received(main)]).toEqual([['RC(main)'], ['RC(6)']]);
      t.end('UNAVAILABLE', 'dies', 'P');
      t.connectivity(DOWN, 'no way', 'P');
      expect([t.received(l), t.received(main)]).toEqual([[`AE(${down('P')})`], [`AE(${down('P')})`]]);
      t.requests();
      const c2 = t.watch('CDS', 'c2');
      expect(t.requests()).toEqual(['Q LDS{l; -; -} node', 'Q CDS{c1,c2; -; -}']);
      t.respond('LDS', { version: '5', nonce: 'C', resources: [listener('l', 'fallback')] }, 'Q');
      t.respond('CDS', { version: '5', nonce: 'D', resources: [cluster('c1', 8), cluster('c2', 9)] }, 'Q');
      expect([l, main, c2].map((watcher) => t.received(watcher))).toEqual([['RC(fallback)'], ['RC(8)'], ['RC(9)']]);
      t.requests();
      t.timers();
      const only = t.watch('CDS', 'only-main');
      expect(t.requests()).toEqual(['Q CDS{c1,c2,only-main; 5; D}']);
      t.respond('CDS', { version: '6', nonce: 'E', resources: [cluster('c1', 8), cluster('c2', 9)] }, 'Q');
      expect(t.timers()).toEqual(['started CDS only-main 15000']);
      t.advance(14_999);
      expect(t.received(only)).toEqual([]);
      t.advance(1);
      expect(t.received(only)).toEqual([`RE(NOT_FOUND: does not exist${NODE})`]);
      expect([l, main, c2].map((watcher) => t.received(watcher))).toEqual([[], [], []]);
    }),
  );
});

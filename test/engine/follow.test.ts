import { describe, expect, it } from 'vitest';
import { json } from '../deps/follow.js';
import { Plane } from '../deps/plane.js';

const TYPE = 'envoy.config.cluster.v3.Cluster';

describe('a followed target', () => {
  it('requests names that differ only in the order of their parameters once (R6.8)', () => {
    const plane = new Plane();
    const [one, other] = [`xdstp:///${TYPE}/c?a=1&b=2`, `xdstp:///${TYPE}/c?b=2&a=1`];
    plane.server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes(one, other));
    plane.server.set('CDS', one, json.eds(one, 'e')).set('EDS', 'e', json.endpoints('e'));
    plane.follow();
    const requested = new Set(plane.events.flatMap((event) => (event.kind === 'request' ? event.names : [])));
    expect([...requested].filter((name) => name.startsWith('xdstp:'))).toEqual([one]);
    // For RPCs, each spelling is a separate cluster with the same resource.
    const { state } = plane.channel;
    const clusters = state.kind === 'published' ? [...state.config.clusters] : [];
    expect(clusters.map(([name, { kind }]) => [name, kind])).toEqual([
      [one, 'endpoints'],
      [other, 'endpoints'],
    ]);
    expect(plane.engine.snapshot()[0]?.entries.find(({ name }) => name === one)?.watchers).toHaveLength(2);
  });

  it('keeps clusters that RPCs use until the RPCs end (A31)', () => {
    const plane = new Plane();
    plane.server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('a'));
    for (const name of ['a', 'b']) plane.server.set('CDS', name, json.eds(name)).set('EDS', name, json.endpoints(name));
    plane.follow();
    const hold = { scope: 's', target: 't', cluster: 'a' };
    plane.session.dispatch({ kind: 'hold', ...hold });
    plane.server.set('RDS', 'r', json.routes('b')).push('RDS');
    plane.pass(100);
    const clusters = (): string[] => {
      const { state } = plane.channel;
      return state.kind === 'published' ? [...state.config.clusters.keys()].sort() : [];
    };
    expect(clusters()).toEqual(['a', 'b']);
    expect(plane.channel.held).toEqual(new Map([['a', 1]]));
    plane.session.dispatch({ kind: 'release', ...hold });
    plane.pass(100);
    expect(clusters()).toEqual(['b']);
    expect(plane.engine.snapshot()[0]?.entries.map(({ name }) => name)).not.toContain('a');
  });

  it('shares the client with other targets of its client_scope, but not the virtual host', () => {
    const plane = new Plane();
    plane.server.set('LDS', 'l', json.listener('r'));
    plane.server.set('RDS', 'r', {
      name: 'r',
      virtual_hosts: ['x', 'y'].map((domain) => ({
        domains: [domain],
        routes: [{ match: { prefix: '' }, route: { cluster: domain } }],
      })),
    });
    for (const name of ['x', 'y']) plane.server.set('CDS', name, json.eds(name)).set('EDS', name, json.endpoints(name));
    for (const authority of ['x', 'y']) {
      plane.session.dispatch({ kind: 'follow', scope: 's', target: authority, listener: 'l', authority });
    }
    plane.pass(200);
    const [scope] = plane.engine.snapshot();
    expect(scope?.channels.map(({ state }) => state.kind === 'published' && [...state.config.clusters.keys()])).toEqual(
      [['x'], ['y']],
    );
    expect(plane.events.filter((event) => event.kind === 'stream' && event.change === 'opened')).toHaveLength(1);
    plane.session.dispatch({ kind: 'unfollow', scope: 's', target: 'x' });
    plane.pass(100);
    expect(
      plane.engine
        .snapshot()[0]
        ?.entries.map(({ name }) => name)
        .sort(),
    ).toEqual(['l', 'r', 'y', 'y']);
  });
});

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/base/random.js';
import { PRESETS } from '../../src/bootstrap/presets.js';
import type { Tear } from '../../src/deps/tears/tear.js';
import { Follow, json } from './follow.js';
import { Plane } from './plane.js';

/** A target with one cluster and a published configuration. */
function publishedTarget(options: ConstructorParameters<typeof Plane>[0] = {}): Plane {
  const plane = new Plane(options);
  for (const server of plane.servers.values()) {
    server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('a'));
    server.set('CDS', 'a', json.eds('a')).set('EDS', 'a', json.endpoints('a'));
  }
  plane.follow();
  expect(plane.channel.state.kind).toBe('published');
  return plane;
}

const timesOf = ({ kind, begin, end }: Tear): object => ({ kind, begin, end });
/** The version of the last route configuration. */
function routesVersion(plane: Plane): string | undefined {
  const event = plane.events.findLast((one) => one.kind === 'resource' && one.name === 'r');
  return event?.kind === 'resource' ? event.version : undefined;
}

const last = (plane: Plane): Tear => plane.channel.tears.at(-1) as Tear;

/** Each causes one tear of its kind that lasts about `ms`, and returns its begin and end. */
const INJECTIONS: Record<string, (plane: Plane, ms: number, n: number) => { begin: number; end: number }> = {
  'dangling-cluster': (plane, ms, n) => {
    plane.server.set('RDS', 'r', json.routes('a', `x${n}`)).push('RDS');
    plane.pass(ms);
    const begin = plane.lastResponseAt('RDS');
    plane.server.set('CDS', `x${n}`, json.eds(`x${n}`, 'a')).push('CDS');
    plane.pass(50);
    return { begin, end: plane.lastResponseAt('CDS') };
  },
  'dangling-endpoints': (plane, ms, n) => {
    plane.server.set('CDS', 'a', json.eds('a', `e${n}`)).push('CDS');
    plane.pass(ms);
    const begin = plane.lastResponseAt('CDS');
    plane.server.set('EDS', `e${n}`, json.endpoints(`e${n}`)).push('EDS');
    plane.pass(50);
    return { begin, end: plane.lastResponseAt('EDS') };
  },
  'listener-route-skew': (plane, ms, n) => {
    plane.server.set('LDS', 'l', json.listener(`r${n}`)).push('LDS');
    plane.pass(ms);
    const begin = plane.lastResponseAt('LDS');
    plane.server.set('RDS', `r${n}`, { ...json.routes('a'), name: `r${n}` }).push('RDS');
    plane.pass(50);
    return { begin, end: plane.lastResponseAt('RDS') };
  },
  'removed-in-use': (plane, ms) => {
    plane.server.set('CDS', 'a', undefined).push('CDS');
    plane.pass(ms);
    const begin = plane.lastResponseAt('CDS');
    plane.server.set('CDS', 'a', json.eds('a')).push('CDS');
    plane.pass(50);
    return { begin, end: plane.lastResponseAt('CDS') };
  },
};

describe('tears', () => {
  it.each(Object.entries(INJECTIONS))('of the kind %s are detected with their begin and end', (kind, inject) => {
    const plane = publishedTarget({ features: ['fail_on_data_errors'] });
    const random = seededRandom(7);
    for (let n = 0; n < 1000; n++) {
      const expected = inject(plane, 250 + Math.floor(random() * 5000), n);
      expect(plane.channel.tears).toHaveLength(n + 1);
      expect(timesOf(last(plane))).toEqual({ kind, ...expected });
    }
    const changes = plane.events.flatMap((event) => (event.kind === 'tear' ? [event.change] : []));
    expect(changes.filter((change) => change === 'opened')).toHaveLength(1000);
    expect(changes.filter((change) => change === 'closed')).toHaveLength(1000);
  });

  it('between servers are detected while the fallback server lacks a part of the configuration (A71)', () => {
    const random = seededRandom(3);
    for (let n = 0; n < 1000; n++) {
      const plane = publishedTarget({ servers: ['p', 'q'] });
      const [p, q] = [...plane.servers.values()];
      if (p === undefined || q === undefined) throw new Error('the test requires two servers');
      // The second server has different endpoints, and neither listener nor routes at first.
      q.set('LDS', 'l', undefined).set('RDS', 'r', undefined).set('EDS', 'a', json.endpoints('a', 81));
      q.set('CDS', 'b', json.eds('b', 'a')).set('EDS', 'b', json.endpoints('b'));
      p.set('RDS', 'r', json.routes('a', 'b')).push('RDS');
      plane.pass(6);
      p.goDown();
      plane.pass(3000);
      const open = plane.channel.tears.find(({ kind }) => kind === 'mixed-servers');
      expect(open, `run ${n}`).toMatchObject({ end: undefined, instead: 'used the mixed configuration' });
      expect(new Set(open?.resources.map(({ server }) => server))).toEqual(new Set(['p', 'q']));
      plane.pass(Math.floor(random() * 2000));
      q.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('a', 'b'));
      q.push('LDS');
      q.push('RDS');
      plane.pass(50);
      expect(open?.end).toBe(plane.lastResponseAt('RDS'));
      // The authority returns to the first server.
      p.comeUp();
      plane.pass(200_000);
      const flap = plane.channel.tears.find(({ kind }) => kind === 'flap');
      const moves = plane.events.flatMap((event) => (event.kind === 'fallback' ? [event.at] : []));
      expect(flap && timesOf(flap)).toEqual({ kind: 'flap', begin: moves[0], end: moves[1] });
    }
  });

  it('do not include names that arrive within the grace period: the configuration is held back', () => {
    const plane = publishedTarget();
    plane.server.set('CDS', 'b', json.eds('b')).set('EDS', 'b', json.endpoints('b'));
    plane.server.set('RDS', 'r', json.routes('b')).push('RDS');
    plane.pass(1000);
    expect(plane.channel.tears).toEqual([]);
    expect(plane.channel.heldBack).toMatchObject([
      { type: 'CDS', name: 'b' },
      { type: 'EDS', name: 'b' },
    ]);
    for (const { begin, end } of plane.channel.heldBack) expect(end - begin).toBe(6);
    // Without a grace period, every missing name is a tear.
    const strict = publishedTarget({ tearGraceMs: 0 });
    strict.server.set('CDS', 'b', json.eds('b', 'a'));
    strict.server.set('RDS', 'r', json.routes('b')).push('RDS');
    const before = strict.channel.tears.length;
    strict.pass(100);
    expect(strict.channel.tears.slice(before)).toMatchObject([{ kind: 'dangling-cluster', end: expect.any(Number) }]);
  });

  it('open immediately when the response is an error, and begin when the name was needed', () => {
    const plane = publishedTarget({ features: ['fail_on_data_errors'] });
    plane.server.set('CDS', 'b', { name: 'b' });
    plane.server.set('RDS', 'r', json.routes('a', 'b')).push('RDS');
    plane.pass(50);
    expect(last(plane)).toMatchObject({
      kind: 'dangling-cluster',
      begin: plane.lastResponseAt('RDS'),
      end: undefined,
      neededBy: { type: 'RDS', name: 'r', version: routesVersion(plane) },
      routes: [{ index: 1, match: 'any path', share: 1 }],
      instead: 'published the error: RPCs sent there fail',
    });
    plane.server.set('RDS', 'r', json.routes('a')).push('RDS');
    plane.pass(50);
    // The routes do not name the cluster any more.
    expect(last(plane)).toMatchObject({ end: plane.lastResponseAt('RDS'), resolvedBy: 'no-longer-needed' });
  });

  it('report the published error after the resource timer expires', () => {
    const plane = publishedTarget();
    plane.server.set('RDS', 'r', json.routes('a', 'gone')).push('RDS');
    plane.pass(1000);
    expect(last(plane).instead).toBe('kept the previous configuration');
    plane.pass(15_000);
    expect(last(plane)).toMatchObject({ end: undefined, instead: 'published the error: RPCs sent there fail' });
  });

  it('close when the target does not need the resource any more, and when it is unfollowed', () => {
    const plane = publishedTarget();
    plane.server.set('RDS', 'r', json.routes('a', 'gone')).push('RDS');
    plane.pass(1000);
    plane.server.set('RDS', 'r', json.routesFor('other', 'a')).push('RDS');
    plane.pass(50);
    expect(last(plane).end).toBe(plane.lastResponseAt('RDS'));
    plane.server.set('RDS', 'r', json.routes('a', 'gone')).push('RDS');
    plane.pass(1000);
    plane.session.dispatch({ kind: 'unfollow', scope: 's', target: 't' });
    expect(plane.events.findLast((event) => event.kind === 'tear')).toMatchObject({ change: 'closed' });
  });

  it('are not caused by a connection error', () => {
    const plane = publishedTarget();
    plane.server.set('RDS', 'r', json.routes('a', 'b')).push('RDS');
    plane.pass(4);
    plane.server.goDown();
    plane.pass(30_000);
    expect(plane.channel.tears).toEqual([]);
  });

  it('are not caused by an error that keeps the cached version (A88)', () => {
    const plane = publishedTarget();
    plane.server.set('CDS', 'a', undefined).push('CDS');
    plane.pass(1000);
    plane.server.set('CDS', 'a', { name: 'a' }).push('CDS');
    plane.pass(1000);
    expect(plane.channel.tears).toEqual([]);
  });

  it('name the first version that needed the missing resource', () => {
    const plane = publishedTarget();
    plane.server.set('RDS', 'r', json.routes('a', 'gone')).push('RDS');
    plane.pass(50);
    const version = routesVersion(plane);
    plane.server.set('RDS', 'r', json.routes('gone', 'a')).push('RDS');
    plane.pass(500);
    expect(routesVersion(plane)).not.toBe(version);
    expect(last(plane).neededBy).toMatchObject({ type: 'RDS', name: 'r', version });
  });

  it('find their routes with an index, not by a search of all routes', () => {
    let lookups = 0;
    const routes = Array.from({ length: 3000 }, (_none, i) => {
      const made = json.routes(`c${i}`) as { virtual_hosts: { routes: object[] }[] };
      return made.virtual_hosts[0]?.routes[0] as object;
    });
    const run = new Follow().get('LDS', 'l', json.listener('r'));
    run.get('RDS', 'r', { name: 'r', virtual_hosts: [{ domains: ['*'], routes }] });
    const { lookup } = run.manager;
    const cluster = lookup.cluster;
    lookup.cluster = (name) => {
      lookups++;
      return cluster(name);
    };
    for (let i = 0; i < 3000; i++)
      expect(run.manager.routesTo('CDS', `c${i}`)).toEqual([{ index: i, match: 'any path', share: 1 }]);
    expect(lookups).toBeLessThanOrEqual(3000);
  });

  it('list the routes that lead to the resource, with their share', () => {
    const plane = publishedTarget();
    const weighted = {
      name: 'r',
      virtual_hosts: [
        {
          domains: ['*'],
          routes: [
            { match: { prefix: '/x' }, route: { cluster: 'a' } },
            {
              match: { prefix: '' },
              route: {
                weighted_clusters: {
                  clusters: [
                    { name: 'a', weight: 3 },
                    { name: 'agg', weight: 1 },
                  ],
                },
              },
            },
          ],
        },
      ],
    };
    plane.server.set('CDS', 'agg', json.aggregate('agg', 'gone'));
    plane.server.set('RDS', 'r', weighted).push('RDS');
    plane.pass(500);
    expect(last(plane)).toMatchObject({
      resources: [{ type: 'CDS', name: 'gone' }],
      neededBy: { type: 'CDS', name: 'agg' },
      routes: [{ index: 1, match: 'any path', share: 0.25 }],
    });
  });

  it('report that C-core used the new listener with the previous routes (R7.4)', () => {
    const plane = publishedTarget({ policies: PRESETS['c-core'].policies as never });
    plane.server.set('LDS', 'l', json.listener('r2')).push('LDS');
    plane.pass(500);
    expect(last(plane)).toMatchObject({ kind: 'listener-route-skew', instead: 'kept the previous configuration' });
    plane.server.set('EDS', 'a', json.endpoints('a', 99)).push('EDS');
    plane.pass(50);
    expect(last(plane).instead).toBe('used the new listener with the previous routes');
  });

  it('open when new routes override a filter that is not yet in the listener', () => {
    const plane = publishedTarget();
    const fault = 'type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault';
    const overriding = json.routes('a') as { virtual_hosts: object[] };
    const routes = {
      ...overriding,
      virtual_hosts: overriding.virtual_hosts.map((host) => ({
        ...host,
        typed_per_filter_config: { fault: { '@type': fault } },
      })),
    };
    plane.server.set('RDS', 'r', routes).push('RDS');
    plane.pass(300);
    expect(last(plane)).toMatchObject({
      kind: 'listener-route-skew',
      end: undefined,
      begin: plane.lastResponseAt('RDS'),
    });
    const router = {
      name: 'r',
      typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
    };
    const filters = { http_filters: [{ name: 'fault', typed_config: { '@type': fault } }, router] };
    plane.server.set('LDS', 'l', json.listener('r', filters)).push('LDS');
    plane.pass(50);
    expect(last(plane).end).toBe(plane.lastResponseAt('LDS'));
    expect(plane.channel.tears).toHaveLength(1);
  });
});

describe('a control plane that updates make-before-break', () => {
  it('causes no tear in 10,000 updates', () => {
    const plane = publishedTarget();
    const { server } = plane;
    const random = seededRandom(11);
    const pick = (n: number): number => Math.floor(random() * n);
    let clusters = ['a'];
    let updates = 0;
    for (let n = 0; updates < 10_000; n++) {
      const kind = pick(3);
      if (kind === 0) {
        // New clusters and endpoints are served before routes name them; old ones are removed afterwards.
        const next = Array.from({ length: 1 + pick(3) }, (_none, i) => `c${n}-${i}`);
        for (const name of next) server.set('CDS', name, json.eds(name)).set('EDS', name, json.endpoints(name));
        server.set('RDS', 'r', json.routes(...next)).push('RDS');
        plane.pass(60 + pick(40));
        for (const name of clusters) server.set('CDS', name, undefined).set('EDS', name, undefined);
        server.push('CDS');
        clusters = next;
        updates += 2;
      } else if (kind === 1) {
        const name = clusters[pick(clusters.length)] as string;
        server.set('EDS', name, json.endpoints(name, 1 + pick(1000))).push('EDS');
        updates++;
      } else {
        server.set('RDS', 'r', json.routes(...[...clusters].sort(() => random() - 0.5))).push('RDS');
        updates++;
      }
      plane.pass(pick(100));
    }
    plane.pass(1000);
    expect(plane.channel.tears).toEqual([]);
    expect(plane.channel.heldBack.length).toBeGreaterThan(1000);
    const configured = [
      ...(plane.channel.state.kind === 'published' ? plane.channel.state.config.clusters.keys() : []),
    ];
    expect(configured.sort()).toEqual(clusters.sort());
  });
});

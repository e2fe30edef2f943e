import { describe, expect, it } from 'vitest';
import { groupTears, type TearGroup } from '../../src/inspect/tears/group-tears.js';
import { tearSummary } from '../../src/inspect/tears/tear-summary.js';
import { aboutText, rangeText } from '../../src/inspect/tears/time-text.js';
import { json } from '../deps/follow.js';
import { Plane } from '../deps/plane.js';

/** A target whose routes name the cluster `blue`. */
function started(options: ConstructorParameters<typeof Plane>[0] = {}): Plane {
  const plane = new Plane(options);
  for (const server of plane.servers.values()) {
    server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('blue'));
    server.set('CDS', 'blue', json.eds('blue')).set('EDS', 'blue', json.endpoints('blue'));
  }
  plane.follow();
  return plane;
}

/** Routes name `green` for a time before it is served; then they return to `blue`. */
function rollOut(plane: Plane, ms: number): void {
  plane.server.set('RDS', 'r', json.routes('blue', 'green')).push('RDS');
  plane.pass(ms);
  plane.server.set('CDS', 'green', json.eds('green', 'blue')).push('CDS');
  plane.pass(100);
  plane.server.set('RDS', 'r', json.routes('blue')).push('RDS');
  plane.pass(50);
  plane.server.set('CDS', 'green', undefined).push('CDS');
  plane.pass(100);
}

const groupsOf = (plane: Plane): TearGroup[] => groupTears([plane.channel], plane.clock.now());
const summaryOf = (plane: Plane, observedMs?: number): string | undefined =>
  tearSummary(plane.channel.tears, observedMs);

/** Each row makes one tear, with its group and summary. Versions depend on the number of responses. */
const ROWS: [title: string, make: () => Plane, group: Partial<TearGroup>, summary: RegExp][] = [
  [
    'routes before their cluster',
    () => {
      const plane = started();
      rollOut(plane, 400);
      return plane;
    },
    {
      kind: 'dangling-cluster',
      open: 0,
      happened: 'RDS r version 5 names green 400 ms before CDS has it',
      withA74: 'kept the previous configuration',
      withoutA74: 'RPCs on any path fail: there is no cluster green',
      advice: 'Serve the cluster and its endpoints before a route names it; remove it only when no route names it.',
    },
    /^1 config tear, resolved: routes arrive about 400 ms before the cluster that they name \(CDS green\)$/,
  ],
  [
    'routes that name a cluster that never arrives',
    () => {
      const plane = started();
      plane.server.set('RDS', 'r', json.routes('blue', 'green')).push('RDS');
      plane.pass(3000);
      plane.server.set('RDS', 'r', json.routes('blue')).push('RDS');
      plane.pass(50);
      return plane;
    },
    { kind: 'dangling-cluster', open: 0, happened: 'RDS r version 5 named green for 3.0 s, and CDS never had it' },
    /^1 config tear, resolved: routes named a cluster for about 3\.0 s that never arrived \(CDS green\)$/,
  ],
  [
    'a cluster that is still missing',
    () => {
      const plane = started();
      plane.server.set('RDS', 'r', json.routes('blue', 'green')).push('RDS');
      plane.pass(1003);
      return plane;
    },
    {
      kind: 'dangling-cluster',
      open: 1,
      happened: 'RDS r version 5 names green, which has been missing from CDS for 1.0 s',
      withA74: 'kept the previous configuration',
    },
    /^1 config tear, still open: RDS r version 5 names green, which is missing from CDS$/,
  ],
  [
    'a rejected cluster',
    () => {
      const plane = started();
      plane.server.set('CDS', 'green', { name: 'green' });
      plane.server.set('RDS', 'r', json.routes('blue', 'green')).push('RDS');
      plane.pass(503);
      return plane;
    },
    {
      kind: 'dangling-cluster',
      open: 1,
      happened: 'RDS r version 5 names green, which has been missing from CDS (NACKED) for 500 ms',
      withA74: 'published the error: RPCs sent there fail',
    },
    /^1 config tear, still open: RDS r version 5 names green, which is missing from CDS \(NACKED\)$/,
  ],
  [
    'an aggregate cluster before its child',
    () => {
      const plane = started();
      plane.server.set('CDS', 'both', json.aggregate('both', 'blue', 'green'));
      plane.server.set('RDS', 'r', json.routes('both')).push('RDS');
      plane.pass(409);
      plane.server.set('CDS', 'green', json.eds('green', 'blue')).push('CDS');
      plane.pass(50);
      return plane;
    },
    { kind: 'dangling-cluster', happened: 'CDS both version 6 names green 403 ms before CDS has it' },
    /^1 config tear, resolved: an aggregate cluster arrives about 400 ms before the cluster that it names \(CDS green\)$/,
  ],
  [
    'a cluster before its endpoints',
    () => {
      const plane = started();
      plane.server.set('CDS', 'blue', json.eds('blue', 'other')).push('CDS');
      plane.pass(1200);
      plane.server.set('EDS', 'other', json.endpoints('other')).push('EDS');
      plane.pass(50);
      return plane;
    },
    {
      kind: 'dangling-endpoints',
      happened: 'CDS blue version 5 names endpoints other 1.2 s before EDS has them',
      withoutA74: 'RPCs on any path fail: there are no endpoints other',
    },
    /^1 config tear, resolved: clusters arrive about 1\.2 s before their endpoints \(EDS other\)$/,
  ],
  [
    'a listener before its routes',
    () => {
      const plane = started();
      plane.server.set('LDS', 'l', json.listener('r2')).push('LDS');
      plane.pass(600);
      plane.server.set('RDS', 'r2', { ...json.routes('blue'), name: 'r2' }).push('RDS');
      plane.pass(50);
      return plane;
    },
    {
      kind: 'listener-route-skew',
      happened: 'LDS l version 5 names routes r2 600 ms before RDS has them',
      withoutA74: 'RPCs fail: the listener has no routes',
    },
    /^1 config tear, resolved: the listener arrives about 600 ms before the routes that it names \(RDS r2\)$/,
  ],
  [
    'a filter that the listener lacks',
    () => {
      const plane = started();
      const made = json.routes('blue') as { virtual_hosts: object[] };
      const fault = { '@type': 'type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault' };
      const hosts = made.virtual_hosts.map((host) => ({ ...host, typed_per_filter_config: { fault } }));
      plane.server.set('RDS', 'r', { ...made, virtual_hosts: hosts }).push('RDS');
      plane.pass(303);
      return plane;
    },
    {
      kind: 'listener-route-skew',
      open: 1,
      happened: 'RDS r version 5 overrides filter fault, which the listener lacks for 300 ms',
      withA74: 'used the configuration and ignored the override',
      advice: 'Add a filter to the listener before a route overrides it; remove it only when no route overrides it.',
    },
    /^1 config tear, still open: RDS r version 5 overrides filter fault, which the listener lacks$/,
  ],
  [
    'a cluster that is removed while routes name it',
    () => {
      const plane = started({ features: ['fail_on_data_errors'] });
      plane.server.set('CDS', 'blue', undefined).push('CDS');
      plane.pass(500);
      plane.server.set('CDS', 'blue', json.eds('blue')).push('CDS');
      plane.pass(50);
      return plane;
    },
    {
      kind: 'removed-in-use',
      happened: 'CDS blue was dropped (DOES_NOT_EXIST) for 500 ms while RDS r version 2 named it',
      withA74: 'dropped it: RPCs that need it fail',
      withoutA74: 'the same: RPCs on any path fail',
    },
    /^1 config tear, resolved: CDS blue was dropped for about 500 ms while in use$/,
  ],
];

describe('the texts of a tear', () => {
  it.each(ROWS)('%s', (_title, make, group, summary) => {
    const plane = make();
    expect(groupsOf(plane)).toMatchObject([{ count: 1, ...group }]);
    expect(summaryOf(plane)).toMatch(summary);
  });

  it('name both servers of mixed-servers and of a flap', () => {
    const plane = started({ servers: ['p', 'q'] });
    const [p, q] = [...plane.servers.values()];
    if (p === undefined || q === undefined) throw new Error('two servers are needed');
    q.set('CDS', 'green', json.eds('green', 'blue')).set('EDS', 'blue', json.endpoints('blue', 81));
    p.set('RDS', 'r', json.routes('blue', 'green')).push('RDS');
    plane.pass(6);
    p.goDown();
    plane.pass(2000);
    p.set('CDS', 'green', json.eds('green', 'blue')).comeUp();
    plane.pass(1000);
    const happened = groupsOf(plane).map((group) => `${group.kind}: ${group.happened}`);
    expect(happened).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^mixed-servers: resources of several servers are mixed for \d+ ms: LDS l version \d+ from [pq], .* from [pq]$/,
        ),
        expect.stringMatching(/^flap: the client moved from p to q and back in [\d.]+ m?s$/),
      ]),
    );
  });
});

describe('equal tears', () => {
  it('are one row with a count and a range of times', () => {
    const plane = started();
    for (const ms of [380, 400, 390, 420]) rollOut(plane, ms);
    expect(groupsOf(plane)).toMatchObject([
      {
        kind: 'dangling-cluster',
        count: 4,
        open: 0,
        minMs: 380,
        maxMs: 420,
        happened: 'RDS r (versions 5, 10, 15 and 1 more) names green 380–420 ms before CDS has it',
      },
    ]);
    expect(summaryOf(plane, 20_000)).toBe(
      '4 config tears in 20.0 s, all resolved: routes arrive about 400 ms before the cluster that they name (CDS green)',
    );
  });

  it('are separate rows if one is open, if names differ, or if gRPC reacted differently', () => {
    const plane = started();
    rollOut(plane, 400);
    plane.server.set('CDS', 'red', { name: 'red' });
    plane.server.set('RDS', 'r', json.routes('blue', 'green', 'red')).push('RDS');
    plane.pass(16_000);
    const groups = groupsOf(plane).map(({ count, open, resources, withA74 }) => [
      count,
      open,
      resources[0]?.name,
      withA74,
    ]);
    expect(groups).toEqual([
      [1, 1, 'red', 'published the error: RPCs sent there fail'],
      [1, 1, 'green', 'published the error: RPCs sent there fail'],
      [1, 0, 'green', 'kept the previous configuration'],
    ]);
    expect(summaryOf(plane)).toMatch(
      /^3 config tears, 2 still open: RDS r version \d+ names red, which is missing from CDS/,
    );
  });

  it('name the most frequent kind first', () => {
    const plane = started();
    for (const ms of [400, 400]) rollOut(plane, ms);
    plane.server.set('LDS', 'l', json.listener('r2')).push('LDS');
    plane.pass(600);
    plane.server.set('RDS', 'r2', { ...json.routes('blue'), name: 'r2' }).push('RDS');
    plane.pass(50);
    expect(summaryOf(plane)).toBe(
      '3 config tears, all resolved: routes arrive about 400 ms before the cluster that they name (CDS green); also 1 listener-route-skew',
    );
  });

  it('have no summary if there are none', () => {
    expect(summaryOf(started())).toBeUndefined();
  });
});

describe('times', () => {
  it.each([
    [400, 400, '400 ms'],
    [380, 420, '380–420 ms'],
    [900, 1200, '900 ms–1.2 s'],
    [1000, 1010, '1.0 s'],
    [1000, 2500, '1.0–2.5 s'],
    [61_000, 62_000, '1 m 1 s–1 m 2 s'],
    [2000, 62_000, '2.0 s–1 m 2 s'],
  ])('from %i to %i ms', (min, max, text) => {
    expect(rangeText(min, max)).toBe(text);
  });

  it.each([
    [[403], 'about 400 ms'],
    [[389, 448], 'about 420 ms'],
    [[1, 1234, 9999], 'about 1.2 s'],
  ])('about %j', (times, text) => {
    expect(aboutText(times)).toBe(text);
  });
});

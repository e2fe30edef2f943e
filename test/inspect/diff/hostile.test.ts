import { describe, expect, it } from 'vitest';
import { diffResources, type ResourceDiff } from '../../../src/inspect/diff/diff.js';

const RDS_LISTS = ['virtualHosts', 'domains'];
const route = (n: number, cluster = 'c') => ({ match: { prefix: `/${n}` }, route: { cluster } });
const rds = (routes: unknown[]) => ({ virtualHosts: [{ name: 'h', routes }] });
const endpoint = (n: number) => ({
  endpoint: { address: { socketAddress: { address: `10.0.${n >> 8}.${n & 255}`, portValue: 80 } } },
  healthStatus: 'HEALTHY',
});
const numbers = (count: number): number[] => [...Array(count).keys()];

function nested(depth: number, value: unknown): unknown {
  let all = value;
  for (let i = 0; i < depth; i++) all = i % 2 === 0 ? [all] : { x: all };
  return all;
}

function paths({ changes }: ResourceDiff): string[] {
  return changes.map(({ path }) => path);
}

describe('unusual values', () => {
  const values: unknown[] = [null, undefined, 0, -0, Number.NaN, '', '0', true, [], {}, [[]], [{}], { x: null }, 1n];

  it('compares every value with every other, alone and as an element', () => {
    for (const wrap of [
      (x: unknown) => x,
      (x: unknown) => ({ x: [x] }),
      ...RDS_LISTS.map((f) => (x: unknown) => ({ [f]: [x] })),
    ]) {
      values.forEach((a, i) => {
        values.forEach((b, j) => {
          expect(diffResources(wrap(a), wrap(b), 'RDS').changes.length === 0, `${i} ${j}`).toBe(i === j);
        });
      });
    }
  });

  it('distinguishes keys that are names in JavaScript', () => {
    const [a, b] = ['{"__proto__": {"x": 1}}', '{"__proto__": {"x": 2}}'].map((text) => JSON.parse(text));
    expect(paths(diffResources(a, b, 'RDS'))).toEqual(['__proto__.x']);
    expect(paths(diffResources({}, JSON.parse('{"constructor": 1}'), 'RDS'))).toEqual(['constructor']);
    expect(paths(diffResources({}, a, 'RDS'))).toEqual(['__proto__']);
  });

  it('reports elements without a key, and virtual hosts that are not messages', () => {
    const [a, b] = [
      [{ name: 5 }, 'text', null],
      [null, { name: 6 }, 'text', []],
    ].map((virtualHosts) => ({ virtualHosts }));
    expect(paths(diffResources(a, b, 'RDS'))).toEqual(['virtual_hosts[1].name', 'virtual_hosts[3]']);
  });

  it('quotes names that would make a path unclear', () => {
    const hosts = (value: number) => ({ virtualHosts: ['2', 'a]', '', ' x', 'y"'].map((name) => ({ name, value })) });
    expect(paths(diffResources(hosts(1), hosts(2), 'RDS'))).toEqual(
      ['"2"', '"a]"', '2', '" x"', '"y\\""'].map((name) => `virtual_hosts[${name}].value`),
    );
    expect(paths(diffResources({ 'a b': 1 }, { 'a b': 2 }, 'RDS'))).toEqual(['["a b"]']);
  });

  it('shortens megabyte names in paths, not in steps', () => {
    const name = 'x'.repeat(1_000_000);
    const [change] = diffResources({ virtualHosts: [] }, { virtualHosts: [{ name }] }, 'RDS').changes;
    expect(change?.path.length).toBeLessThan(300);
    expect(change?.steps.at(-1)).toMatchObject({ label: name });
  });

  it('finds a difference 50,000 levels deep', () => {
    expect(diffResources(nested(50_000, 1), nested(50_000, 1), 'RDS').changes).toEqual([]);
    expect(diffResources(nested(50_000, 1), nested(50_000, 2), 'RDS').changes).toHaveLength(1);
  });

  it('applies the rules below the depth to which paths go', () => {
    const deep = (order: string[]) => {
      const type = 'type.googleapis.com/envoy.config.route.v3.VirtualHost';
      return { x: nested(1000, { '@type': type, domains: order }) };
    };
    expect(diffResources(deep(['a', 'b']), deep(['b', 'a']), 'RDS').changes).toEqual([]);
    expect(diffResources(deep(['a', 'b']), deep(['b', 'c']), 'RDS').changes).toHaveLength(1);
  });

  it('ends for values that contain themselves', () => {
    const cycle = (x: number): unknown => {
      const value: Record<string, unknown> = { x };
      value.self = value;
      return value;
    };
    expect(diffResources(cycle(1), cycle(1), 'RDS').changes).toEqual([]);
    expect(diffResources(cycle(1), cycle(2), 'RDS').changes.length).toBeGreaterThan(0);
  });

  it('compares a list by the rule of each place that shares it', () => {
    const [ab, ba] = [
      ['a', 'b'],
      ['b', 'a'],
    ];
    const host = (list: string[]) => ({ virtualHosts: [{ name: 'h', domains: list, other: list }] });
    expect(paths(diffResources(host(ab), host(ba), 'RDS'))).toEqual(['virtual_hosts[h].other[1]']);
  });

  it('says that omitted parts are not compared', () => {
    const resource = (x: number) => ({ x, '@omitted': { domains: { count: 1, bytes: 5 } } });
    expect(diffResources(resource(1), resource(1), 'RDS').notes).toEqual([expect.stringContaining('omitted')]);
    expect(diffResources({ x: 1 }, { x: 2 }, 'RDS').notes).toEqual([]);
  });
});

describe('large lists', () => {
  /** Generous, because the machine may be busy: quadratic code takes minutes. */
  const LIMIT = 20_000;

  it('finds 10 changes among 10,000 shuffled endpoints', { timeout: LIMIT }, () => {
    const before = numbers(10_000).map(endpoint);
    const after = [...before].reverse().map((one, i) => (i % 1000 === 0 ? { ...one, healthStatus: 'DRAINING' } : one));
    const eds = (lbEndpoints: unknown[]) => ({ endpoints: [{ lbEndpoints }] });
    const { changes } = diffResources(eds(before), eds(after), 'EDS');
    expect(changes).toHaveLength(10);
    expect(changes.at(-1)?.path).toBe('endpoints[no locality].lb_endpoints[10.0.39.15:80].health_status');
  });

  it('aligns 10,000 routes of which each has changed, behind a new one', { timeout: LIMIT }, () => {
    const [before, after] = [numbers(10_000).map((n) => route(n)), numbers(10_000).map((n) => route(n, 'd'))];
    const { changes, notes } = diffResources(rds(before), rds([route(-1), ...after]), 'RDS');
    expect(notes).toEqual([]);
    expect(changes).toHaveLength(10_001);
    expect(changes.filter(({ kind }) => kind === 'changed')).toHaveLength(10_000);
  });

  it('moves 9,999 of 10,000 reversed routes', { timeout: LIMIT }, () => {
    const before = numbers(10_000).map((n) => route(n));
    const { changes } = diffResources(rds(before), rds([...before].reverse()), 'RDS');
    expect(changes).toHaveLength(9_999);
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(['moved']));
  });

  it('says that the changes are not the smallest set if 50,000 routes repeat in random order', {
    timeout: LIMIT,
  }, () => {
    let seed = 1;
    const random = (): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 26;
    };
    const [before, after] = [0, 1].map(() => numbers(50_000).map(() => route(random())));
    const { changes, notes } = diffResources(rds(before ?? []), rds(after ?? []), 'RDS');
    expect(changes.length).toBeGreaterThan(0);
    expect(notes).toEqual(['virtual_hosts[h].routes: too many differences to find the smallest set of changes.']);
  });

  it('compares 10,000 elements without keys index by index', { timeout: LIMIT }, () => {
    const list = (x: number) => ({ list: numbers(10_000).map((n) => ({ a: `${x} ${n}`, b: 1 })) });
    const { changes, notes } = diffResources(list(1), list(2), 'RDS');
    expect(changes.length).toBe(10_000);
    expect(changes[7]).toMatchObject({ kind: 'changed', path: 'list[7].a', before: '1 7', after: '2 7' });
    expect(notes).toHaveLength(1);
  });
});

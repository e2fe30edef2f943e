import { describe, expect, it } from 'vitest';
import { expectationsFor, type ServedTarget, servedTargets } from '../../../src/inspect/expect/init.js';
import { momentOf } from '../../../src/inspect/expect/observation.js';
import { readExpectations } from '../../../src/inspect/expect/read-expectations.js';
import { evaluateTarget } from '../../../src/inspect/expect/report.js';
import { expectationsFile } from '../../../src/view/render/expectations-file.js';
import { cluster, endpoints, type PlaneSpec, route, routes, run, verdictNow } from '../verdict-plane.js';

function served(spec: PlaneSpec): ServedTarget & { now: number } {
  const simulation = run(spec);
  const [scope] = simulation.engine.snapshot();
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
  const verdict = verdictNow(simulation);
  return { target: 'greeter', scope, channel, nodeId: 'n', verdict, findings: [], now: simulation.clock.now() };
}

const written = (target: ServedTarget): string =>
  expectationsFile(expectationsFor([target], { nodeId: undefined, defaultAuthority: undefined }));

const BLUE = { c: cluster('blue'), e: endpoints('blue') };

/** A route of `match`, in YAML, to the cluster `blue`. */
const to = (match: string): string => `{ match: { ${match} }, route: { cluster: blue } }`;
const header = (matcher: string): string => to(`prefix: "/h.H/", headers: [{ name: env, ${matcher} }]`);

describe('check --init writes an RPC for each route', () => {
  it.each<[match: string, list: string[], rpcs: object[]]>([
    ['any path', [to('prefix: ""')], [{}]],
    ['a method', [to('path: /a.B/C')], [{ method: '/a.B/C' }]],
    ['a service', [to('prefix: /a.B/')], [{ method: '/a.B/AnyMethod' }]],
    ['a package', [to('prefix: /a')], [{ method: '/a/AnyMethod' }]],
    [
      'a prefix of a method',
      [to('path: /a.B/Get'), to('prefix: /a.B/Get')],
      [{ method: '/a.B/Get' }, { method: '/a.B/GetAnyMethod' }],
    ],
    ['a regular expression', [to('safe_regex: { regex: "/a\\\\.B/[^/]+" }')], [{ method: '/a.B/AnyMethod' }]],
    [
      'a header with a value',
      [header('string_match: { exact: canary }')],
      [{ method: '/h.H/AnyMethod', headers: { env: 'canary' } }],
    ],
    [
      'a header with another value',
      [header('string_match: { exact: canary }, invert_match: true')],
      [{ headers: { env: 'other-canary' } }],
    ],
    ['a header with a prefix', [header('string_match: { prefix: can }')], [{ headers: { env: 'can' } }]],
    ['a header that is present', [header('present_match: true')], [{ headers: { env: 'any' } }]],
    ['a header with a number', [header('range_match: { start: 5, end: 9 }')], [{ headers: { env: '5' } }]],
    [
      'a route before a wider one',
      [to('path: /a.B/C'), to('prefix: "/a.B/"'), to('prefix: ""')],
      [{ method: '/a.B/C' }, { method: '/a.B/AnyMethod' }, {}],
    ],
    [
      'routes that split RPCs by fraction',
      [to('prefix: "", runtime_fraction: { default_value: { numerator: 10 } }'), to('prefix: ""')],
      [{}],
    ],
    ['a route that no RPC reaches', [to('prefix: ""'), to('path: /a.B/C')], [{}]],
  ])('for %s', (_, list, rpcs) => {
    const target = served({ resources: { l: routes(...list), ...BLUE } });
    const { file, comments } = expectationsFor([target], { nodeId: undefined, defaultAuthority: undefined });
    const expected = rpcs.map((rpc) => ({ ...rpc, expect: { status: 'OK', cluster: 'blue', timeout: 'none' } }));
    expect(file).toMatchObject({ targets: [{ rpcs: expected }] });
    expect(comments).toEqual([]);
  });

  it.each<[title: string, match: string, text: string]>([
    [
      'with an unusual regular expression',
      'safe_regex: { regex: "/[ab]{3}/x|/y/[0-9]" }',
      'path matches /[ab]{3}/x|/y/[0-9]',
    ],
    [
      'with a secret header, which the file would contain',
      'prefix: /h, headers: [{ name: authorization, string_match: { exact: hush } }]',
      'prefix /h and header authorization = [redacted]',
    ],
    [
      'that need a content-type other than that of gRPC',
      'prefix: /h, headers: [{ name: content-type, string_match: { exact: text/html } }]',
      'prefix /h and header content-type = text/html',
    ],
  ])('names routes without an example: %s', (_, match, text) => {
    const file = written(served({ resources: { l: routes(to(match), to('prefix: ""')), ...BLUE } }));
    expect(file).toContain(`      # route 1 (${text}): add an RPC that matches it\n`);
    expect(file).not.toContain('hush');
  });
});

describe('check --init marks current failures', () => {
  const weighted = 'weighted_clusters: { clusters: [{ name: blue, weight: 90 }, { name: red, weight: 10 }] }';
  const spec: PlaneSpec = {
    resources: {
      l: routes(
        route('/red', 'red'),
        `{ match: { prefix: /w }, route: { ${weighted} } }`,
        route('/empty', 'empty'),
        route('', 'blue'),
      ),
      ...BLUE,
      c2: cluster('empty'),
      e2: endpoints('empty', []),
    },
    at: 20,
  };

  it('with a comment on each expectation, and the check passes', () => {
    const target = served(spec);
    const text = written(target);
    expect(text.split('\n').filter((line) => line.includes('failing now'))).toEqual([
      expect.stringMatching(
        /^ {4}verdict: partly # failing now: is this intended\? \d of 4 routes fail: prefix \/red → /,
      ),
      '      CDS/red: DOES_NOT_EXIST # failing now: is this intended?',
      '          healthy: 0 # failing now: is this intended?',
      '      # route 2 (prefix /w): 10 % of RPCs are failing now: is this intended?',
      '          status: UNAVAILABLE # failing now: is this intended?',
      '          status: UNAVAILABLE # failing now: is this intended?',
    ]);
    const read = readExpectations(text);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const observation = momentOf(target, target.verdict, target.now);
    const { evaluated } = evaluateTarget('greeter', read.file.targets[0]?.expectations ?? [], observation);
    expect(evaluated.filter(({ ok }) => !ok)).toEqual([]);
    expect(evaluated.length).toBeGreaterThan(8);
  });

  it('with comments in which names are escaped', () => {
    const name = 'x\n    verdict: ok\u202e';
    const text = written(
      served({
        resources: { l: routes(`{ match: { prefix: "" }, route: { cluster: ${JSON.stringify(name)} } }`) },
        at: 20,
      }),
    );
    expect(text).toMatch(/^ {4}verdict: fails # failing now: is this intended\? .*x/m);
    expect(text.match(/^ {4}verdict: /gm)).toHaveLength(1);
    expect(text).not.toContain('\u202e');
  });
});

describe('the targets of check --init', () => {
  const names = ['a', 'b'];
  const targets = names.map((name) => ({ scope: { scope: name }, channel: { target: `xds:///${name}` } }));
  const verdicts = names.map((name) => ({ scope: name, target: `xds:///${name}`, verdict: 'ok' }));
  const findings = names.map((name) => ({ scope: name, code: `XI-${name}` }));
  const follow = (name: string) => ({ scope: name, target: `xds:///${name}` });
  const combined = (typed: string[], followed: object[]) =>
    servedTargets(typed, { targets, verdicts, findings } as never, followed as never).map((one) => [
      ...[one.target, one.scope.scope, one.verdict.target],
      one.findings.map(({ code }) => code),
    ]);

  it('have their own scope, verdict and findings, in the order of the command line', () => {
    expect(combined(['B', 'A'], [follow('b'), follow('a')])).toEqual([
      ['B', 'b', 'xds:///b', ['XI-b']],
      ['A', 'a', 'xds:///a', ['XI-a']],
    ]);
  });

  it.each([
    ['target', { scope: 'a', target: 'xds:///other' }],
    ['scope', { scope: 'other', target: 'xds:///a' }],
  ])('are omitted without a result for their %s', (_, other) => {
    expect(combined(['other', 'B'], [other, follow('b')])).toEqual([['B', 'b', 'xds:///b', ['XI-b']]]);
  });

  it('have the result of their own scope if clients share a target', () => {
    const shared = names.map((scope) => ({ scope: { scope }, channel: { target: 't' } }));
    const own = names.map((scope) => ({ scope, target: 't', verdict: 'ok' }));
    const result = { targets: shared, verdicts: own, findings: [] } as never;
    const [found] = servedTargets(['T'], result, [{ scope: 'b', target: 't' }] as never);
    expect([found?.scope.scope, found?.verdict]).toEqual(['b', own[1]]);
  });
});

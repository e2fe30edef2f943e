import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compareSets } from '../../../src/inspect/diff/compare-sets.js';
import type { ComparedResource } from '../../../src/inspect/diff/resource-set.js';
import type { FormatName, Page } from '../../../src/view/formats.js';
import { render } from '../../../src/view/formats.js';
import { paintFor } from '../../../src/view/render/paint.js';
import { listed, resource, route, routes, secret, setOf } from '../../inspect/diff/resource-sets.js';

const page: Page = {
  paint: await paintFor(false),
  isColored: false,
  width: undefined,
  isTerminal: false,
  ageOf: () => 0,
  showsTimes: false,
  listsAll: false,
};

type Resources = ComparedResource[];

async function printed(
  format: FormatName<'diff'>,
  a: Resources,
  b: Resources,
  { showSecrets = false, width }: { showSecrets?: boolean; width?: number } = {},
): Promise<string> {
  const diff = compareSets(setOf('a.yaml', ...a), setOf('b.yaml', ...b), { versions: false });
  return await render('diff', format, { diff, showSecrets }, { ...page, width });
}

const rds = (...list: object[]): ComparedResource => resource('RDS', 'r', routes('r', ...list));
const cds = (name: string, more: object = {}): ComparedResource =>
  resource('CDS', name, { name, type: 'EDS', ...more });
const sds = (key: string): ComparedResource => resource('SDS', 's', secret('s', key));

const A = [
  rds(route('/a', 'x'), route('/', 'x')),
  cds('blue'),
  cds('red'),
  { ...cds('c'), status: 'ACKED' },
  sds('KEY-1'),
];
const B = [
  { ...cds('c'), status: 'NACKED' },
  cds('blue', { lbPolicy: 'RING_HASH' }),
  cds('green'),
  sds('KEY-2'),
  rds(route('/', 'x'), route('/a', 'w')),
];

describe('the text of a comparison', () => {
  it('has the summary, the sides and the changed fields', async () => {
    expect(await printed('text', A, B)).toBe(`different: 6 of 6 resources: 4 changed, 1 only in a.yaml, 1 only in b.yaml
  - a.yaml
  + b.yaml

~ RDS r  1 added, 1 removed
    - virtual_hosts[all].routes[0]  {"match": {"prefix": "/a"}, "route": {"cluster": "x"}}
    + virtual_hosts[all].routes[1]  {"match": {"prefix": "/a"}, "route": {"cluster": "w"}}
~ CDS blue  1 added
    + lb_policy  RING_HASH
~ CDS c
    ~ status: ACKED → NACKED
+ CDS green  only in b.yaml
- CDS red  only in a.yaml
~ SDS s  1 changed
    ~ tls_certificate.private_key.inline_string  [redacted], differs
`);
  });

  it('is one line if all resources are equal', async () => {
    expect(await printed('text', A, A)).toBe('equal: 5 resources\n');
    expect(await printed('text', A.slice(0, 1), A.slice(0, 1))).toBe('equal: 1 resource\n');
    expect(await printed('text', [], [])).toBe('equal: neither side has resources to compare\n');
  });

  it('says what could not be compared', async () => {
    expect(
      await printed(
        'text',
        [rds(), listed('CDS', 'v', { version: '1' })],
        [listed('RDS', 'r'), listed('CDS', 'v', { version: '1' })],
      ),
    ).toBe(`equal: 1 resource, 1 of them compared by version only; 1 not compared
? RDS r  not compared: a side has neither contents nor a version
`);
    expect(
      await printed('text', [listed('CDS', 'v', { version: '1' })], [listed('CDS', 'v', { version: '2' })]),
    ).toContain('~ CDS v  contents unknown\n    ~ version: 1 → 2\n');
  });

  it('says that a side knows a resource, but does not have it', async () => {
    expect(await printed('text', [listed('CDS', 'c', { status: 'DOES_NOT_EXIST' })], [cds('c')])).toContain(
      '+ CDS c  only in b.yaml (a.yaml: DOES_NOT_EXIST)\n',
    );
  });

  it('counts the resources and changes that it does not list', async () => {
    const many = (count: number, cluster: string): Resources =>
      Array.from({ length: count }, (_, i) => resource('RDS', `r${i}`, routes(`r${i}`, route('/', cluster))));
    const text = await printed('text', [...many(150, 'x'), cds('z')], many(150, 'y'));
    expect(text.match(/^~ RDS/gm)).toHaveLength(100);
    expect(text).toContain('\nand 51 more resources: 50 RDS, 1 CDS\n');
    expect(text).toContain('→ All differences: -o json, -o diff or -o html. Fewer resources: --type, --name.\n');
    const list = (cluster: string): object[] => Array.from({ length: 30 }, (_, i) => route(`/${i}`, cluster));
    const one = await printed('text', [rds(...list('x'))], [rds(...list('y'))]);
    expect(one.match(/^ {4}~ /gm)).toHaveLength(20);
    expect(one).toContain('~ RDS r  30 changed\n');
    expect(one).toContain('\n    and 10 more changes\n→ ');
    expect(await printed('text', A, B)).not.toContain('→ All');
  });

  it('fits into the width of the terminal', async () => {
    const text = await printed('text', A, B, { width: 60 });
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(text).toContain('    ~ tls_certificate.private_key.inline_string\n        [redacted], differs\n');
  });

  it('wraps a path between its steps', async () => {
    const weighted = (weight: number): object => ({
      match: { prefix: '/' },
      route: { weightedClusters: { clusters: [{ name: 'blue', weight }] } },
    });
    expect(await printed('text', [rds(weighted(1))], [rds(weighted(2))], { width: 50 })).toContain(`
    ~ virtual_hosts[all].routes[0].route
        .weighted_clusters.clusters[blue].weight
        1 → 2
`);
    expect(await printed('text', [rds(weighted(1))], [rds(weighted(2))], { width: 60 })).toContain(`
    ~ virtual_hosts[all].routes[0].route.weighted_clusters
        .clusters[blue].weight  1 → 2
`);
  });

  it('shows control characters by their codes', async () => {
    const hostile = '\u001b[2J\n::error::x\u202e';
    const text = await printed('text', [cds(hostile)], [cds('c', { altStatName: hostile }), cds('d')]);
    expect(text).toContain(String.raw`- CDS \u{1b}[2J\n::error::x\u{202e}  only in a.yaml`);
  });
});

describe('the unified format', () => {
  it('has a file for each resource that differs', async () => {
    expect(await printed('diff', A, B)).toBe(`--- a/RDS/r.yaml\ta.yaml
+++ b/RDS/r.yaml\tb.yaml
@@ -6,10 +6,10 @@
       - "*"
     routes:
       - match:
-          prefix: /a
+          prefix: /
         route:
           cluster: x
       - match:
-          prefix: /
+          prefix: /a
         route:
-          cluster: x
+          cluster: w
--- a/CDS/blue.yaml\ta.yaml
+++ b/CDS/blue.yaml\tb.yaml
@@ -1,3 +1,4 @@
 "@type": type.googleapis.com/envoy.config.cluster.v3.Cluster
 name: blue
 type: EDS
+lbPolicy: RING_HASH
--- a/CDS/c.yaml\ta.yaml
+++ b/CDS/c.yaml\tb.yaml
@@ -1,1 +1,1 @@
-# status: ACKED
+# status: NACKED
--- /dev/null\ta.yaml
+++ b/CDS/green.yaml\tb.yaml
@@ -0,0 +1,3 @@
+"@type": type.googleapis.com/envoy.config.cluster.v3.Cluster
+name: green
+type: EDS
--- a/CDS/red.yaml\ta.yaml
+++ /dev/null\tb.yaml
@@ -1,3 +0,0 @@
-"@type": type.googleapis.com/envoy.config.cluster.v3.Cluster
-name: red
-type: EDS
--- a/SDS/s.yaml\ta.yaml
+++ b/SDS/s.yaml\tb.yaml
@@ -4,4 +4,4 @@
   certificateChain:
     inlineString: CHAIN
   privateKey:
-    inlineString: "[redacted]"
+    inlineString: "[redacted], differs"
`);
  });

  it('is empty if all resources are equal', async () => {
    expect(await printed('diff', A, A)).toBe('');
  });

  it('has a comment where two secrets have exchanged their places', async () => {
    const struct = (...list: string[]): ComparedResource =>
      cds('c', { metadata: { filterMetadata: { a: { tokens: list } } } });
    expect(await printed('diff', [struct('KEY-1', 'KEY-2')], [struct('KEY-2', 'KEY-1')])).toMatch(
      /^\+# metadata\.filter_metadata\[a\]\[tokens\]\[\d\]: \[redacted\], differs$/m,
    );
  });
});

describe('the data of a comparison', () => {
  it('has the summary, the sides and every change', async () => {
    const json = JSON.parse(await printed('json', A, B));
    expect(json).toMatchObject({
      schema: 'xds-inspect/diff/v1',
      equal: false,
      summary: { resources: 6, equal: 0, changed: 4, added: 1, removed: 1, notCompared: 0 },
      sides: {
        before: { label: 'a.yaml', resources: 5, notes: [] },
        after: { label: 'b.yaml', resources: 5, notes: [] },
      },
      notes: [],
      notCompared: [],
    });
    expect(json.resources.map(({ type, name, change }: Record<string, string>) => `${change} ${type} ${name}`)).toEqual(
      ['changed RDS r', 'changed CDS blue', 'changed CDS c', 'added CDS green', 'removed CDS red', 'changed SDS s'],
    );
    expect(json.resources[0]).toEqual({
      type: 'RDS',
      typeUrl: 'type.googleapis.com/envoy.config.route.v3.RouteConfiguration',
      name: 'r',
      change: 'changed',
      differs: ['contents'],
      versions: { before: '1', after: '1' },
      statuses: { before: null, after: null },
      changes: [
        { path: 'virtual_hosts[all].routes[0]', kind: 'removed', before: route('/a', 'x') },
        { path: 'virtual_hosts[all].routes[1]', kind: 'added', after: route('/a', 'w') },
      ],
      notes: [],
    });
    expect(json.resources[2]).toMatchObject({
      differs: ['status'],
      statuses: { before: 'ACKED', after: 'NACKED' },
      changes: [],
    });
    expect(json.resources[3].changes).toEqual([
      { path: '', kind: 'added', after: expect.objectContaining({ name: 'green' }) },
    ]);
    expect(json.resources[5].changes).toEqual([
      {
        path: 'tls_certificate.private_key.inline_string',
        kind: 'changed',
        before: '[redacted]',
        after: '[redacted], differs',
        redacted: true,
      },
    ]);
  });

  it('has the places of a moved element', async () => {
    const [a, b] = [route('/a', 'x'), route('/b', 'x')];
    const json = JSON.parse(await printed('json', [rds(a, b, route('/', 'x'))], [rds(b, a, route('/', 'x'))]));
    expect(json.resources[0].changes).toMatchObject([
      { kind: 'moved', from: expect.any(Number), to: expect.any(Number) },
    ]);
  });

  it.each([
    ['differences', A, B],
    ['no difference', A, A],
  ])('is the same in YAML: %s', async (_title, a, b) => {
    expect(parse(await printed('yaml', a, b))).toEqual(JSON.parse(await printed('json', a, b)));
  });

  it('is complete for thousands of changes', async () => {
    const list = (cluster: string): object[] => Array.from({ length: 1000 }, (_, i) => route(`/${i}`, cluster));
    const json = JSON.parse(await printed('json', [rds(...list('x'))], [rds(...list('y'))]));
    expect(json.resources[0].changes).toHaveLength(1000);
    expect(parse(await printed('yaml', [rds(...list('x'))], [rds(...list('y'))]))).toEqual(json);
  });
});

describe('annotations of a comparison', () => {
  it('have an error with the summary, and a warning for each resource', async () => {
    const lines = (await printed('github', A, B)).split('\n');
    expect(lines[0]).toBe(
      '::error title=diff::different: 6 of 6 resources: 4 changed, 1 only in a.yaml, 1 only in b.yaml',
    );
    expect(lines.slice(2, 7)).toEqual([
      '::warning title=CDS blue::lb_policy: added RING_HASH',
      '::warning title=CDS c::status: ACKED → NACKED',
      '::warning title=CDS green::only in b.yaml',
      '::warning title=CDS red::only in a.yaml',
      '::warning title=SDS s::tls_certificate.private_key.inline_string: [redacted], differs',
    ]);
    expect(await printed('github', A, A)).toBe('');
  });

  it('count what they do not list', async () => {
    const many = Array.from({ length: 70 }, (_, i) => cds(`c${i}`));
    const lines = (await printed('github', many, [])).trim().split('\n');
    expect(lines).toHaveLength(52);
    expect(lines.at(-1)).toBe('::notice title=diff::20 more resources differ: -o json has all of them');
  });
});

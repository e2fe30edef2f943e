import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareSets } from '../../../src/inspect/diff/compare-sets.js';
import type { ComparedResource } from '../../../src/inspect/diff/resource-set.js';
import { diffPageParts } from '../../../src/view/render/diff/html.js';
import { listed, resource, route, routes, secret, setOf } from '../../inspect/diff/resource-sets.js';
import { ROOT } from '../../support/root.js';

const style = { text: 'p { margin: 0 }', sha256: 'HASH=' };

function pageOf(a: ComparedResource[], b: ComparedResource[], labels = ['a.yaml', 'b.yaml']): string {
  const diff = compareSets(setOf(labels[0] ?? '', ...a), setOf(labels[1] ?? '', ...b), { versions: false });
  return [...diffPageParts({ diff, showSecrets: false, style })].join('');
}

const rds = (...list: object[]): ComparedResource => resource('RDS', 'r', routes('r', ...list));
const cds = (name: string, more: object = {}): ComparedResource => resource('CDS', name, { name, ...more });
const A = [rds(route('/a', 'x'), route('/', 'x')), cds('red'), resource('SDS', 's', secret('s', 'KEY-1'))];
const B = [
  rds(route('/a', 'y'), route('/b', 'z'), route('/', 'x')),
  cds('green'),
  resource('SDS', 's', secret('s', 'KEY-2')),
];

describe('the page of a comparison', () => {
  const page = pageOf(A, B);

  it('has the summary, the sides and the changed values', () => {
    expect(page).toContain(
      '<h1 class="different"><b>different</b> 4 of 4 resources: 2 changed, 1 only in a.yaml, 1 only in b.yaml</h1>',
    );
    expect(page).toContain('<strong>− a.yaml</strong><p>3 resources</p>');
    expect([...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, type]) => type)).toEqual(['RDS', 'CDS', 'SDS']);
    expect(page).toContain(
      '<code>virtual_hosts[all].routes[0].route.cluster</code><pre class="value before">x</pre><pre class="value after">y</pre>',
    );
    expect(page).toContain(
      '<code>tls_certificate.private_key.inline_string</code><pre class="value secret only">[redacted], differs</pre>',
    );
    expect(page).toContain('<small>only in a.yaml</small>');
    expect(pageOf(A, A)).toContain('<h1 class="equal"><b>equal</b> 3 resources</h1>');
  });

  it('loads nothing and runs nothing', () => {
    expect(page).toContain(
      `content="default-src 'none'; style-src 'sha256-HASH='; base-uri 'none'; form-action 'none'"`,
    );
    expect(page).toContain('<style>p { margin: 0 }</style>');
    expect(page).not.toMatch(/<script|<link|\son\w+=|\sstyle=|\ssrc=|url\(|https?:/);
  });

  it('shows hostile texts as text', () => {
    const hostile = '</pre><script>alert(1)</script>"\u001b[2J\u202e&amp;';
    const text = pageOf(
      [cds(hostile), cds('c')],
      [cds('c', { altStatName: hostile, metadata: { filterMetadata: { [hostile]: { a: 1 } } } })],
      [hostile, 'b'],
    );
    expect(text).not.toMatch(/<script|<\/pre>"/);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(text.match(/&#60;script&#62;alert\(1\)/g)?.length).toBeGreaterThanOrEqual(4);
  });

  it('counts what it does not show', () => {
    const many = (count: number): ComparedResource[] =>
      Array.from({ length: count }, (_, i) => listed('CDS', `c${i}`, { version: '1' }));
    const text = pageOf([...many(2100), listed('LDS', 'l')], [listed('LDS', 'l')]);
    expect(text.match(/<details/g)).toHaveLength(2000);
    expect(text).toContain('and 100 more resources: -o json has all of them');
    expect(text).toContain('LDS l: not compared, because a side has neither contents nor a version');
    const list = (cluster: string): object[] => Array.from({ length: 600 }, (_, i) => route(`/${i}`, cluster));
    expect(pageOf([rds(...list('x'))], [rds(...list('y'))])).toContain('and 100 more changes');
    const hosts = Array.from({ length: 600 }, (_, i) => ({ name: `${i}` }));
    const added = pageOf([], [resource('RDS', 'r', { name: 'r', virtualHosts: hosts })]);
    expect(added).toContain('… (103 more lines)</pre>');
  });

  it('uses the classes of its style', () => {
    const css = readFileSync(join(ROOT, 'src/view/page/diff.css'), 'utf8').replace(/\.css/g, '');
    const defined = [...css.matchAll(/\.([a-z][a-z-]*)/g)].map(([, name = '']) => name);
    const [a, b, c] = ['/a', '/b', '/c'].map((prefix) => route(prefix, 'x')) as [object, object, object];
    const version = (text: string): ComparedResource => listed('CDS', 'v', { version: text });
    const pages = [
      page,
      pageOf(A, A),
      pageOf([rds(a, b, c)], [rds(b, a, c)]),
      pageOf([version('1')], [version('2')]),
      pageOf([version('1')], [listed('CDS', 'v'), listed('CDS', 'w')]),
    ].join('');
    const used = [...pages.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '));
    expect([...new Set(used)].sort()).toEqual([...new Set(defined)].sort());
  });
});

import { describe, expect, it } from 'vitest';
import { compareSets } from '../../../src/inspect/diff/compare-sets.js';
import { filteredSet } from '../../../src/inspect/diff/filtered-set.js';
import type { ComparedResource } from '../../../src/inspect/diff/resource-set.js';
import type { SetDiff } from '../../../src/inspect/diff/set-diff.js';
import { apiTypeName } from '../../../src/proto/api-types.js';
import { listed, resource, route, routes, secret, setOf } from './resource-sets.js';

const RDS = (cluster: string, facts: Partial<ComparedResource> = {}): ComparedResource =>
  resource('RDS', 'r', routes('r', route('/', cluster)), facts);
const unreadable = (): never => {
  throw new Error('decoded');
};

function compare(a: ComparedResource[], b: ComparedResource[], versions = false): SetDiff {
  return compareSets(setOf('a', ...a), setOf('b', ...b), { versions });
}

/** `changed RDS r: contents`, and the counts of the others. */
function found({ differences, equal, equalByVersion, notCompared }: SetDiff): string[] {
  return [
    ...differences.map(({ change, typeUrl, name, facts }) =>
      `${change} ${apiTypeName(typeUrl)} ${name}: ${facts.join(' ')}`.trim(),
    ),
    ...(equal > 0 ? [`${equal} equal`] : []),
    ...(equalByVersion > 0 ? [`${equalByVersion} by version`] : []),
    ...notCompared.map(({ name }) => `not compared: ${name}`),
  ];
}

const ACKED = { status: 'ACKED' };
const REJECTED = { status: 'NACKED' };
const MISSING = { status: 'DOES_NOT_EXIST' };

const cases: [title: string, a: ComparedResource[], b: ComparedResource[], want: string[]][] = [
  ['nothing', [], [], []],
  ['equal contents', [RDS('x')], [RDS('x')], ['1 equal']],
  ['another version', [RDS('x')], [RDS('x', { version: '2' })], ['1 equal']],
  ['other contents', [RDS('x')], [RDS('y')], ['changed RDS r: contents']],
  ['a resource of one side', [RDS('x')], [], ['removed RDS r:']],
  ['a resource of the other side', [], [RDS('x')], ['added RDS r:']],
  [
    'the same name of two types',
    [listed('CDS', 'r', { version: '1' })],
    [listed('EDS', 'r', { version: '1' })],
    ['removed CDS r:', 'added EDS r:'],
  ],
  ['a status that both know', [RDS('x', ACKED)], [RDS('x', REJECTED)], ['changed RDS r: status']],
  ['contents and status', [RDS('x', ACKED)], [RDS('y', REJECTED)], ['changed RDS r: contents status']],
  ['a status that one side does not know', [RDS('x', ACKED)], [RDS('x')], ['1 equal']],
  ['a missing resource and its contents', [listed('RDS', 'r', MISSING)], [RDS('x')], ['added RDS r:']],
  [
    'a missing resource and its contents, with both statuses',
    [RDS('x', ACKED)],
    [listed('RDS', 'r', MISSING)],
    ['removed RDS r: status'],
  ],
  ['a missing resource that the other side does not list', [listed('RDS', 'r', MISSING)], [], []],
  ['a rejected resource that the other side does not list', [], [listed('RDS', 'r', REJECTED)], []],
  [
    'a resource that is missing here and rejected there',
    [listed('RDS', 'r', MISSING)],
    [listed('RDS', 'r', REJECTED)],
    ['changed RDS r: status'],
  ],
  [
    'a resource that is missing on both sides',
    [listed('RDS', 'r', MISSING)],
    [listed('RDS', 'r', MISSING)],
    ['1 equal'],
  ],
  [
    'a rejected resource of which a version is kept',
    [RDS('x', REJECTED)],
    [RDS('y', REJECTED)],
    ['changed RDS r: contents'],
  ],
  [
    'versions without contents',
    [listed('RDS', 'r', { version: '1' }), listed('RDS', 's', { version: '1' })],
    [listed('RDS', 'r', { version: '2' }), listed('RDS', 's', { version: '1' })],
    ['changed RDS r: version', '1 equal', '1 by version'],
  ],
  ['contents here, a version there', [RDS('x')], [listed('RDS', 'r', { version: '1' })], ['1 equal', '1 by version']],
  ['contents here, nothing there', [RDS('x')], [listed('RDS', 'r')], ['not compared: r']],
];

describe('comparing two sets of resources', () => {
  it.each(cases)('compares %s', (_title, a, b, want) => {
    expect(found(compare(a, b))).toEqual(want);
  });

  it('compares versions on request', () => {
    const [one, two] = [[RDS('x')], [RDS('x', { version: '2' })]];
    expect(found(compare(one, two, true))).toEqual(['changed RDS r: version']);
    expect(found(compare(one, one, true))).toEqual(['1 equal']);
    expect(found(compare(one, [RDS('x', { version: undefined })], true))).toEqual(['1 equal']);
  });

  it('does not decode resources with equal bytes', () => {
    const one = RDS('x', { contents: unreadable });
    expect(found(compare([one], [{ ...one }]))).toEqual(['1 equal']);
    expect(() => compare([one], [RDS('y')])).toThrow('decoded');
  });

  it('lists differences by type, in the order of references, and by name', () => {
    const all = ['SDS', 'EDS', 'CDS', 'RDS', 'LDS', 'acme/a.B'].flatMap((type) => [
      listed(type, 'b', { version: '1' }),
      listed(type, 'a', { version: '1' }),
    ]);
    expect(compare(all, []).differences.map(({ typeUrl, name }) => `${apiTypeName(typeUrl)} ${name}`)).toEqual(
      ['LDS', 'RDS', 'CDS', 'EDS', 'acme/a.B', 'SDS'].flatMap((type) => [`${type} a`, `${type} b`]),
    );
  });

  it('compares the last of several resources with the same name, and says so', () => {
    const diff = compare([RDS('x'), RDS('y')], [RDS('y')]);
    expect(found(diff)).toEqual(['1 equal']);
    expect(diff.notes).toEqual(['a has several resources of the same name, of which the last is compared: RDS r.']);
    expect([diff.before.resources, diff.after.resources]).toEqual([1, 1]);
  });

  it('counts the changed fields', () => {
    const [diff] = compare(
      [RDS('x')],
      [resource('RDS', 'r', routes('r', route('/a', 'x'), route('/', 'y')))],
    ).differences;
    expect(diff?.changes).toBe(2);
  });
});

describe('secrets', () => {
  const pair = (a: string, b: string): SetDiff =>
    compare([resource('SDS', 's', secret('s', a))], [resource('SDS', 's', secret('s', b))]);

  it('are compared', () => {
    expect(found(pair('KEY-1', 'KEY-2'))).toEqual(['changed SDS s: contents']);
    expect(found(pair('KEY-1', 'KEY-1'))).toEqual(['1 equal']);
  });

  it.each([
    ['a dump of Envoy', '[redacted]'],
    ['a recording', '[redacted]...12'],
    ['a recording, of a short secret', '[red3'],
  ])('are not compared with the redacted form in %s', (_title, text) => {
    for (const diff of [pair('KEY-1', text), pair(text, 'KEY-1'), pair(text, '[redacted]..9')]) {
      expect(found(diff)).toEqual(['1 equal']);
      expect(diff.notes).toEqual(['1 secret not compared: a side only has a redacted form.']);
    }
  });

  it('are compared where the redacted form is an ordinary text', () => {
    expect(found(compare([RDS('[redacted]')], [RDS('x')]))).toEqual(['changed RDS r: contents']);
  });

  it('in bytes are not compared with the redacted form', () => {
    const bytes = (text: string): ComparedResource =>
      resource('SDS', 's', { name: 's', tlsCertificate: { password: { inlineBytes: btoa(text) } } });
    expect(found(compare([bytes('KEY')], [bytes('[redacted]')]))).toEqual(['1 equal']);
    expect(found(compare([bytes('KEY')], [bytes('key')]))).toEqual(['changed SDS s: contents']);
  });

  it('that are numbers are not compared with 0, which a recording has instead', () => {
    const provider = (value: number): ComparedResource => {
      const typedConfig = { '@type': 'type.googleapis.com/google.protobuf.Struct', value: { key: value } };
      const tlsCertificate = { privateKeyProvider: { providerName: 'p', typedConfig } };
      return resource('SDS', 's', { name: 's', tlsCertificate });
    };
    expect(found(compare([provider(7)], [provider(0)]))).toEqual(['1 equal']);
    expect(found(compare([provider(7)], [provider(8)]))).toEqual(['changed SDS s: contents']);
    const weighted = (weight: number): ComparedResource =>
      resource('EDS', 'e', { clusterName: 'e', endpoints: [{ loadBalancingWeight: weight }] });
    expect(found(compare([weighted(1)], [weighted(0)]))).toEqual(['changed EDS e: contents']);
  });

  it('in a URI are not compared with the redacted URI', () => {
    const cluster = (uri: string): ComparedResource =>
      resource('CDS', 'c', { name: 'c', metadata: { filterMetadata: { a: { uri } } } });
    const [secretUri, shown] = [cluster('https://u:p@h/'), cluster('https://[redacted]@h/')];
    expect(found(compare([secretUri], [shown]))).toEqual(['1 equal']);
    expect(found(compare([secretUri], [cluster('https://[redacted]@other/')]))).toEqual(['changed CDS c: contents']);
  });
});

describe('a filter', () => {
  const set = setOf('a', ...['LDS', 'CDS', 'SDS'].flatMap((type) => [listed(type, 'blue'), listed(type, 'green')]));
  const names = (type: string[] | undefined, name: string | undefined): string[] =>
    filteredSet(set, { type, name }).resources.map((one) => `${apiTypeName(one.typeUrl)} ${one.name}`);

  it('selects resources by type and by name', () => {
    expect(filteredSet(set, { type: undefined, name: undefined })).toBe(set);
    expect(names(['CDS'], undefined)).toEqual(['CDS blue', 'CDS green']);
    expect(names(['SDS', 'LDS'], '^b')).toEqual(['LDS blue', 'SDS blue']);
    expect(names([set.resources[2]?.typeUrl ?? ''], 'green')).toEqual(['CDS green']);
    expect(names(undefined, '(?i)GREEN$')).toEqual(['LDS green', 'CDS green', 'SDS green']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INSTRUMENTS, type Instrument, type InstrumentName } from '../../../src/inspect/metrics/instruments.js';
import { LABELS, type Label, LIVE_VERDICTS } from '../../../src/inspect/metrics/labels.js';
import { MAX_SERIES, SeriesLimit } from '../../../src/inspect/metrics/series-limit.js';
import { type Series, SeriesTable } from '../../../src/inspect/metrics/series-table.js';
import { labelText } from '../../../src/io/metrics/export-metrics.js';

const NAMES = Object.keys(INSTRUMENTS) as InstrumentName[];

/** The number of lines in the text format. */
function size(series: readonly Series[]): number {
  return series.reduce((sum, { value }) => sum + (typeof value === 'number' ? 1 : value.counts.length + 2), 0);
}

function verdicts(count: number): SeriesTable {
  const table = new SeriesTable();
  for (let i = 0; i < count; i++)
    for (const verdict of LIVE_VERDICTS)
      table.add('xds_inspect.target.verdict', ['s', `t${i}`, verdict], verdict === 'fails' ? 1 : 0);
  return table;
}

const targetsOf = (series: readonly Series[]): string[] =>
  series
    .filter(({ name, value }) => name === 'xds_inspect.target.verdict' && value !== 0)
    .map(({ labels }) => labels[1] ?? '');

const folded = (series: readonly Series[]): unknown =>
  series.find(({ name }) => name === 'xds_inspect.series.folded')?.value;

describe('the limit of series', () => {
  it('combines what does not fit as other, with a count', () => {
    const limited = new SeriesLimit(labelText(false)).apply(verdicts(1000));
    expect(size(limited)).toBeLessThanOrEqual(MAX_SERIES);
    const named = targetsOf(limited).filter((target) => target !== 'other').length;
    expect(named).toBeGreaterThan(300);
    const other = limited
      .filter(({ labels }) => labels[1] === 'other')
      .map(({ labels, value }) => [labels[0], labels[2], value]);
    expect(other).toEqual([
      ['other', 'ok', 0],
      ['other', 'waiting', 0],
      ['other', 'partly', 0],
      ['other', 'fails', 1000 - named],
    ]);
    expect(folded(limited)).toBe(4 * (1000 - named));
  });

  it('changes nothing below', () => {
    const limited = new SeriesLimit(labelText(false)).apply(verdicts(100));
    expect(targetsOf(limited)).toHaveLength(100);
    expect(folded(limited)).toBe(0);
  });

  it('keeps the labels of a series that was exported', () => {
    const limit = new SeriesLimit(labelText(false));
    expect(targetsOf(limit.apply(verdicts(3)))).toEqual(['t0', 't1', 't2']);
    const many = new SeriesTable();
    for (let i = 0; i < 3000; i++) many.add('xds_inspect.target.verdict', ['s', `new${i}`, 'fails'], 1);
    many.add('xds_inspect.target.verdict', ['s', 't2', 'fails'], 1);
    const later = targetsOf(limit.apply(many));
    expect(later).toContain('t2');
    // A name that did not fit is not exported later, when there is room in a single collection.
    expect(targetsOf(limit.apply(verdicts(0)))).toEqual([]);
    const one = new SeriesTable();
    one.add('xds_inspect.target.verdict', ['s', 'new2999', 'fails'], 1);
    expect(targetsOf(limit.apply(one))).toEqual(['other']);
  });

  it.each([
    ['line breaks and escapes', 'a\nb\u001b[31m', 'a\\nb\\u{1b}[31m'],
    ['bidirectional overrides', 'a\u202eb', 'a\\u{202e}b'],
    ['credentials in a URI', 'https://me:secret@host', 'https://[redacted]@host'],
  ])('shows %s in labels', (_what, name, shown) => {
    const table = new SeriesTable();
    table.add('grpc.xds_client.connected', ['s', name], 1);
    expect(new SeriesLimit(labelText(false)).apply(table)[0]?.labels).toEqual(['s', shown]);
  });

  it('cuts long names, and combines those that look the same then', () => {
    const table = new SeriesTable();
    const name = (middle: string): string => `start-${'x'.repeat(5000)}${middle}${'x'.repeat(5000)}-end`;
    for (const middle of ['a', 'b']) table.add('grpc.xds_client.server_failure', ['s', name(middle)], 2);
    const [first] = new SeriesLimit(labelText(false)).apply(table);
    expect(first?.labels[1]?.length).toBeLessThan(400);
    expect(first?.value).toBe(4);
  });

  it('holds for any series, at any time', () => {
    const label = (name: keyof typeof LABELS): fc.Arbitrary<string> => {
      const { values }: Label = LABELS[name];
      return values === undefined ? fc.string({ unit: 'binary', maxLength: 8 }) : fc.constantFrom(...values);
    };
    const series = fc.constantFrom(...NAMES).chain((name) => {
      const { labels, bounds }: Instrument = INSTRUMENTS[name];
      const value = bounds === undefined ? 1 : { bounds, counts: new Array<number>(bounds.length + 1).fill(1), sum: 1 };
      return fc.tuple(...labels.map(label)).map((values) => ({ name, labels: values, value }));
    });
    const collection = fc.array(series, { minLength: 500, maxLength: 3000, size: 'max' });
    const everSeen = (limit: SeriesLimit, collections: Series[][]): number => {
      const seen = new Map<string, Series>();
      for (const list of collections) {
        const table = new SeriesTable();
        for (const { name, labels, value } of list) table.add(name, labels, value);
        for (const one of limit.apply(table)) seen.set(JSON.stringify([one.name, one.labels]), one);
      }
      return size([...seen.values()]);
    };
    fc.assert(
      fc.property(fc.array(collection, { minLength: 1, maxLength: 3 }), (collections) => {
        expect(everSeen(new SeriesLimit(labelText(false)), collections)).toBeLessThanOrEqual(MAX_SERIES);
      }),
      // Shrinking thousands of series would take minutes.
      { numRuns: 20, endOnFailure: true },
    );
  });
});

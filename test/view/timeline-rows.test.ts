import { describe, expect, it } from 'vitest';
import type { CacheEntry } from '../../src/core/resource-cache.js';
import type { PastChannel, PastEntry } from '../../src/inspect/history/session-history.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import type { Bars } from '../../src/view/timeline/bars.js';
import { resourceBars, versionsText } from '../../src/view/timeline/resource-bars.js';
import { summarize, timelineRows } from '../../src/view/timeline/rows.js';
import { bandDifferences, rpcBand } from '../../src/view/timeline/rpc-band.js';
import { density, moved, ticks, zoomed } from '../../src/view/timeline/scale.js';
import { serverBars } from '../../src/view/timeline/server-bars.js';

const CDS = RESOURCE_TYPES.CDS;
const END = 100;

function entry(fields: Partial<CacheEntry>): CacheEntry {
  return {
    typeUrl: CDS,
    name: 'a',
    status: 'ACKED',
    version: '',
    resource: undefined,
    error: undefined,
    ...fields,
  } as CacheEntry;
}

const requested = (at: number): PastEntry => ({ at, entry: entry({ status: 'REQUESTED' }) });
const cached = (at: number, version: string, fields: Partial<CacheEntry> = {}): PastEntry => ({
  at,
  entry: entry({ version, resource: { version } as unknown as NonNullable<CacheEntry['resource']>, ...fields }),
});
const failed = (at: number, before: PastEntry, cause: string, version: string | undefined): PastEntry => ({
  at,
  entry: {
    ...(before.entry as CacheEntry),
    status: cause === 'nack' ? 'NACKED' : 'RECEIVED_ERROR',
    error: { cause, version, at, status: { code: 7, message: 'no' } } as unknown as NonNullable<CacheEntry['error']>,
  },
});

const spansOf = ({ spans }: Bars): string[] =>
  spans.map(({ from, to, isOpen, state, text }) => `${from}-${isOpen ? '' : to} ${state}: ${text}`);
const marksOf = ({ marks }: Bars): string[] => marks.map(({ at, kind }) => `${at} ${kind}`);

describe('the bars of a resource', () => {
  it('shows a NACK that keeps the cached version as a kept bar with a mark', () => {
    const nine = cached(5, '9');
    const bars = resourceBars([requested(1), nine, failed(8, nine, 'nack', '10'), cached(12, '11')], END);
    expect(spansOf(bars)).toEqual([
      '1-5 pending: requested',
      '5-8 cached: 9',
      '8-12 kept: NACK 10 · version 9 kept',
      '12- cached: 11',
    ]);
    expect(marksOf(bars)).toEqual(['8 nack']);
    expect(bars.spans.at(-1)?.to).toBe(END);
  });

  it('shows an error without a cached version as missing', () => {
    const bars = resourceBars([requested(1), failed(3, requested(1), 'server-error', undefined)], END);
    expect(spansOf(bars)).toEqual([
      '1-3 pending: requested',
      '3- missing: RECEIVED_ERROR · PERMISSION_DENIED: no · no version',
    ]);
  });

  it('ends when the client unsubscribes, and splits versions with the same name', () => {
    const bars = resourceBars([cached(1, '1'), cached(4, '1'), { at: 6, entry: undefined }, requested(9)], END);
    expect(spansOf(bars)).toEqual(['1-4 cached: 1', '4-6 cached: 1', '9- pending: requested']);
  });

  it('names the version in use and the rejected one', () => {
    const nine = cached(5, '9');
    expect(versionsText(nine.entry as CacheEntry)).toBe('9');
    expect(versionsText(failed(8, nine, 'nack', '10').entry as CacheEntry)).toBe('9 (10)');
    expect(versionsText(failed(8, requested(1), 'nack', '10').entry as CacheEntry)).toBe('(10)');
    expect(versionsText(requested(1).entry as CacheEntry)).toBe('requested');
  });
});

describe('the order of the rows', () => {
  const names = (rows: ReturnType<typeof timelineRows>): string[] =>
    rows.map((row) => (row.kind === 'fold' ? `${row.type} ×${row.resources.length}` : row.resource.name));
  const nine = cached(5, '9');
  const changes = [
    ...['h1', 'h2', 'h3'].map((name) => ({ typeUrl: CDS, name, states: [cached(1, '1')] })),
    { typeUrl: CDS, name: 'recovered', states: [nine, failed(6, nine, 'nack', '10'), cached(9, '11')] },
    { typeUrl: CDS, name: 'torn', states: [cached(1, '1')] },
    { typeUrl: CDS, name: 'nacked', states: [nine, failed(6, nine, 'nack', '10')] },
    { typeUrl: RESOURCE_TYPES.LDS, name: 'only', states: [cached(1, '1')] },
  ];
  const isTorn = ({ name }: { name: string }): boolean => name === 'torn';

  it('starts with the worst and folds the healthy ones of a type', () => {
    const rows = timelineRows(summarize(changes), { isTorn, isOpen: () => false, isSelected: () => false });
    expect(names(rows)).toEqual(['nacked', 'recovered', 'torn', 'only', 'CDS ×3']);
  });

  it('puts a resource without a version before one whose old version is in use', () => {
    const nine = cached(5, '9');
    const rows = timelineRows(
      summarize([
        { typeUrl: CDS, name: 'kept', states: [nine, failed(8, nine, 'nack', '10')] },
        { typeUrl: CDS, name: 'missing', states: [failed(3, requested(1), 'server-error', undefined)] },
      ]),
      { isTorn: () => false, isOpen: () => false, isSelected: () => false },
    );
    expect(names(rows)).toEqual(['missing', 'kept']);
  });

  it('lists the resources of a type that is unfolded', () => {
    const rows = timelineRows(summarize(changes), {
      isTorn,
      isOpen: (type) => type === 'CDS',
      isSelected: () => false,
    });
    expect(names(rows)).toEqual(['nacked', 'recovered', 'torn', 'only', 'CDS ×3', 'h1', 'h2', 'h3']);
  });

  it('shows a selected resource of a folded type', () => {
    const isSelected = ({ name }: { name: string }): boolean => name === 'h2';
    const rows = timelineRows(summarize(changes), { isTorn, isOpen: () => false, isSelected });
    expect(names(rows)).toEqual(['nacked', 'recovered', 'torn', 'only', 'CDS ×3', 'h2']);
  });

  it('counts the versions that arrived', () => {
    expect(summarize(changes).find(({ name }) => name === 'recovered')).toMatchObject({
      updates: [5, 9],
      lastError: 6,
    });
  });
});

describe('the band of what RPCs used', () => {
  const channel = (at: number, state: object, isWithheld = false): PastChannel =>
    ({
      at,
      channel: { target: 'xds:///a', state, isWithheld, since: state === two ? 2 : 1 },
    }) as unknown as PastChannel;
  const [one, two] = [{ kind: 'published' }, { kind: 'published' }];
  const none = { kind: 'none' };
  const input = {
    target: 'xds:///a',
    isNumbered: true,
    end: END,
    routesVersion: (_: unknown, at: number) => String(at),
    verdictAt: () => undefined,
  };
  const ok = { scope: 's', target: 'xds:///a', verdict: 'ok' as const, cause: null };
  const textsOf = (pieces: ReturnType<typeof rpcBand>): string[] =>
    pieces.map(
      ({ from, to, verdict, text, isHeldBack }) =>
        `${from}-${to} ${verdict}: ${text}${isHeldBack ? ' (held back)' : ''}`,
    );

  it('numbers the configurations, and shows when a newer one is held back', () => {
    const channels = [channel(0, none), channel(10, one), channel(30, one, true), channel(35, two)];
    expect(textsOf(rpcBand({ ...input, channels, verdicts: [{ ...ok, at: 10 }] }))).toEqual([
      '0-10 waiting: WAITING  the configuration is incomplete',
      '10-30 ok: configuration 1 · routes 10',
      '30-35 ok: configuration 1 · routes 10 (held back)',
      '35-100 ok: configuration 2 · routes 35',
    ]);
  });

  it('adds the verdict where RPCs do not work, and has a gap while the target is not followed', () => {
    const fails = { ...ok, verdict: 'fails' as const, at: 20 };
    const channels = [channel(10, one), { at: 40, channel: undefined }, channel(60, one)];
    expect(textsOf(rpcBand({ ...input, channels, verdicts: [{ ...ok, at: 10 }, fails] }))).toEqual([
      '10-20 ok: configuration 1 · routes 10',
      '20-40 fails: configuration 1 · routes 10 · FAILS  RPCs fail',
      '60-100 fails: configuration 1 · routes 10 · FAILS  RPCs fail',
    ]);
  });

  it('finds where another run differs', () => {
    const channels = [channel(10, one)];
    const recorded = rpcBand({ ...input, channels, verdicts: [{ ...ok, at: 10 }] });
    const changed = rpcBand({
      ...input,
      channels,
      verdicts: [
        { ...ok, at: 10 },
        { ...ok, verdict: 'fails', at: 50 },
      ],
    });
    const run = (band: typeof recorded, ...parts: string[]) => ({
      band,
      outcomeAt: () => (parts.length === 0 ? undefined : parts),
    });
    expect(bandDifferences(run(recorded), run(recorded))).toEqual([{ from: 10, to: 100, changed: undefined }]);
    expect(bandDifferences(run(recorded), run(changed))).toEqual([
      { from: 10, to: 50, changed: undefined },
      { from: 50, to: 100, changed: { verdict: 'fails', text: 'routes 10 · FAILS  RPCs fail' } },
    ]);
    expect(bandDifferences(run(recorded, 'OK on a', 'c'), run(recorded, 'OK on a', 'UNAVAILABLE on b'))).toEqual([
      { from: 10, to: 100, changed: { verdict: 'ok', text: 'UNAVAILABLE on b' } },
    ]);
  });
});

describe('the bars of servers', () => {
  const server = (uri: string, priority: number, isActive: boolean, failure?: object) => ({
    uri,
    priority,
    isActive,
    failure,
    retryAt: failure && 9,
  });
  const at = (time: number, ...servers: object[]) => ({ at: time, authorities: [{ name: 'eu', servers }] }) as never;

  it('shows the active server, a failure with its retry, and the fallback', () => {
    const down = { code: 14, message: 'refused' };
    const [first, second, ...more] = serverBars(
      [
        at(1, server('a', 0, true), server('b', 1, false)),
        at(5, server('a', 0, false, down), server('b', 1, true)),
        at(20, server('a', 0, true), server('b', 1, false)),
      ],
      END,
    );
    expect(more).toEqual([]);
    expect(spansOf(first as Bars)).toEqual([
      '1-5 active: active',
      '5-20 failed: UNAVAILABLE: refused',
      '20- active: active',
    ]);
    expect(marksOf(first as Bars)).toEqual(['9 retry', '5 fallback', '20 fallback']);
    expect(spansOf(second as Bars)).toEqual(['5-20 active: active']);
  });
});

describe('the scale', () => {
  it('has ticks at round times', () => {
    const start = Date.UTC(2026, 0, 1, 12, 4, 3, 500);
    expect(ticks(start, start + 10_000, 6).map(({ text }) => text)).toEqual(['12:04:04', ':06', ':08', ':10', ':12']);
    expect(ticks(start, start + 5 * 3_600_000, 6).map(({ text }) => text)).toEqual([
      '13:00',
      '14:00',
      '15:00',
      '16:00',
      '17:00',
    ]);
  });

  it('zooms around a time and stays within the session', () => {
    expect(zoomed([0, 100], 0.5, 50, [0, 100])).toEqual([25, 75]);
    expect(zoomed([25, 75], 4, 50, [0, 100])).toBeUndefined();
    expect(zoomed([80, 100], 2, 100, [0, 100])).toEqual([60, 100]);
    expect(moved([60, 80], 50, [0, 100])).toEqual([80, 100]);
  });

  it('counts times in equal parts', () => {
    expect(density([0, 1, 50, 99, 100, 200], 0, 100, 4)).toEqual([2, 0, 1, 2]);
  });
});

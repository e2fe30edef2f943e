import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/base/display-width.js';
import { changesView } from '../../../src/view/changes.js';
import { paintFor } from '../../../src/view/render/paint.js';
import { tearsText } from '../../../src/view/render/tears.js';
import type { ScopeTears, TearGroupView, TornChannel } from '../../../src/view/tears.js';

const paint = await paintFor(false);
const SUMMARY = '4 config tears in 1 m 0 s, all resolved: routes arrive about 400 ms before the cluster that they name';

function group(kind: TearGroupView['kind'], second: number, maxMs: number, more: Partial<TearGroupView> = {}) {
  const begin = `2026-11-16T12:00:${String(second % 60).padStart(2, '0')}.000Z`;
  return {
    kind,
    target: 'xds:///news',
    count: 1,
    open: 0,
    minMs: maxMs,
    maxMs,
    begin,
    end: begin,
    resources: [{ type: 'CDS', name: 'green', version: null, server: null, status: null }],
    neededBy: null,
    routes: ['0: any path'],
    happened: `RDS news-routes version 8 names green ${maxMs} ms before CDS has it`,
    withA74: 'kept the previous configuration',
    withoutA74: 'RPCs on any path fail: there is no cluster green',
    advice: 'Serve the cluster first.',
    ...more,
  } satisfies TearGroupView;
}

const UNCHANGED = { changes: [], isWithheld: false, tears: [] };
const OK: TornChannel = {
  target: 'xds:///news',
  verdict: 'ok',
  cause: null,
  summary: SUMMARY,
  changes: changesView(UNCHANGED, 0),
};

function text(groups: TearGroupView[], width?: number, more: Partial<ScopeTears> = {}): string[] {
  const scope: ScopeTears = { scope: 's', channels: [OK], heldBack: [], groups, tears: [], unobserved: null, ...more };
  return tearsText(scope, 60_000, 0, paint, width).trimEnd().split('\n');
}

function heldBack(durationMs: number): ScopeTears['heldBack'][number] {
  return { target: 'xds:///news', type: 'CDS', name: 'green', begin: '', end: '', durationMs };
}

describe('tears', () => {
  it('puts the verdict and the summary of the tears into line 1', () => {
    expect(text([group('dangling-cluster', 1, 400)])[0]).toBe(`xds:///news  OK  ${SUMMARY}`);
  });

  it('states below how long changes took', () => {
    const change = (id: number, end: number) => ({ id, begin: 0, end, isFirst: id === 1, isOver: true });
    const changed = { ...UNCHANGED, changes: [change(1, 90), change(2, 400), change(3, 340)] };
    expect(text([], undefined, { channels: [{ ...OK, changes: changesView(changed, 9000) }] })).toEqual([
      `xds:///news  OK  ${SUMMARY}`,
      '  2 changes, complete 340 ms (last; median 370 ms, longest 400 ms) after the first response',
    ]);
  });

  it('states in line 1 that there are none', () => {
    expect(text([], undefined, { channels: [{ ...OK, summary: null }] })).toEqual([
      'xds:///news  OK  no config tears in 1 m 0 s',
    ]);
  });

  it('keeps another cause in line 1, with the summary below', () => {
    const cause = {
      code: 'no-endpoints',
      message: 'cluster green: no endpoints',
      resource: null,
      server: null,
      advice: 'Start backends.',
    } as const;
    expect(text([], undefined, { channels: [{ ...OK, verdict: 'fails', cause }] })).toEqual([
      'xds:///news  FAILS  cluster green: no endpoints',
      `  ${SUMMARY}`,
    ]);
  });

  it('reports nothing observed if nothing was received', () => {
    const channels: TornChannel[] = [{ ...OK, verdict: 'waiting', summary: null }];
    expect(text([], undefined, { channels, unobserved: 'nothing was received' }).at(-1)).toBe(
      '  nothing observed in 1 m 0 s',
    );
  });

  it('counts names that arrived within the grace period as held back, not as tears', () => {
    const channels: TornChannel[] = [{ ...OK, summary: null }];
    expect(text([], undefined, { channels, heldBack: [heldBack(6)] }).at(-1)).toBe(
      '  1 update held back for 6 ms, within the grace period: no tear',
    );
    expect(text([], undefined, { channels, heldBack: [heldBack(6), heldBack(8), heldBack(70)] }).at(-1)).toBe(
      '  3 updates held back for 84 ms in total, median 8 ms, within the grace period: no tear',
    );
  });

  it('shows at most twenty rows of each kind, those with the longest tears, and counts the rest', () => {
    const many = [
      ...Array.from({ length: 1000 }, (_, i) => group('dangling-cluster', i, i)),
      ...Array.from({ length: 25 }, (_, i) => group('mixed-servers', i, 100 - i, { count: 2 })),
      group('dangling-endpoints', 1, 5),
    ];
    const lines = text(many);
    const rows = lines.slice(3, -2).map((line) => line.split(/ {2,}/));
    const lasted = (kind: string): (string | undefined)[] =>
      rows.flatMap(([one, , , what]) => (one === kind ? [/\d+ ms/.exec(what ?? '')?.[0]] : []));
    expect(lasted('dangling-cluster')).toEqual(Array.from({ length: 20 }, (_, i) => `${980 + i} ms`));
    expect(lasted('mixed-servers')).toEqual(Array.from({ length: 20 }, (_, i) => `${100 - i} ms`));
    expect(lasted('dangling-endpoints')).toHaveLength(1);
    expect(lines.at(-2)).toBe('… and 990 shorter tears: 980 dangling-cluster, 10 mixed-servers; -o json lists all');
  });

  it('puts the sentences into the row if they fit, otherwise below it, and the advice once', () => {
    const two = [group('dangling-cluster', 7, 340, { count: 4 }), group('dangling-cluster', 8, 900, { open: 1 })];
    expect(text(two, 220)).toEqual(text(two));
    expect(text(two, 70).slice(2)).toEqual([
      '',
      'KIND              COUNT     FIRST',
      'dangling-cluster  ×4        12:00:07.000',
      '    RDS news-routes version 8 names green 340 ms before CDS has it',
      '    gRPC with A74: kept the previous configuration',
      '    clients without A74: RPCs on any path fail: there is no cluster',
      '      green',
      'dangling-cluster  ×1, open  12:00:08.000',
      '    RDS news-routes version 8 names green 900 ms before CDS has it',
      '    gRPC with A74: kept the previous configuration',
      '    clients without A74: RPCs on any path fail: there is no cluster',
      '      green',
      '→ Serve the cluster first.',
    ]);
  });

  it.each([40, 80, 120])('fits in %i columns', (width) => {
    for (const line of text([group('dangling-cluster', 7, 340)], width))
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it('escapes text from a control plane', () => {
    const hostile = group('dangling-cluster', 7, 340, { happened: 'RDS \x1b[2J names x', withA74: '\x07' });
    for (const width of [undefined, 60]) {
      const shown = text([hostile], width).join('');
      for (const character of ['\x07', '\x1b']) expect(shown).not.toContain(character);
    }
  });
});

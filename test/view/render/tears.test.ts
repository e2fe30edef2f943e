import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/base/display-width.js';
import { paintFor } from '../../../src/view/render/paint.js';
import { tearsText } from '../../../src/view/render/tears.js';
import type { TearView } from '../../../src/view/tears.js';

const paint = await paintFor(false);

function tear(kind: TearView['kind'], second: number, durationMs: number): TearView {
  const begin = `2026-11-16T12:00:${String(second % 60).padStart(2, '0')}.000Z`;
  return {
    kind,
    target: 'xds:///greeter',
    begin,
    end: begin,
    durationMs,
    resources: [{ type: 'CDS', name: 'green', version: null, server: null, status: null }],
    routes: ['0: any path'],
    wouldHave: 'RPCs to cluster green would have failed: it is not there',
    instead: 'held back: the configuration before stays in use',
  };
}

const text = (tears: TearView[], width?: number): string[] =>
  tearsText({ scope: 'xds:///greeter', heldBack: [], tears, unobserved: null }, 60_000, 0, paint, width)
    .trimEnd()
    .split('\n');

describe('tears', () => {
  it('are twenty of each kind at most: those that lasted longest, in the order of time', () => {
    const many = [
      ...Array.from({ length: 1000 }, (_, i) => tear('dangling-cluster', i, i)),
      ...Array.from({ length: 25 }, (_, i) => tear('mixed-servers', i, 100 - i)),
      tear('dangling-endpoints', 1, 5),
    ];
    const lines = text(many);
    expect(lines[0]).toBe('xds:///greeter   1,026 tears in 1 m 0 s');
    const rows = lines.slice(3, -1).map((line) => line.split(/ {2,}/));
    const lasted = (kind: string): string[] => rows.flatMap(([one, , time]) => (one === kind ? [time as string] : []));
    expect(lasted('dangling-cluster')).toEqual(Array.from({ length: 20 }, (_, i) => `${980 + i} ms`));
    expect(lasted('mixed-servers')).toEqual(Array.from({ length: 20 }, (_, i) => `${100 - i} ms`));
    expect(lasted('dangling-endpoints')).toHaveLength(1);
    expect(lines.at(-1)).toBe('… and 985 shorter: 980 dangling-cluster, 5 mixed-servers; all are in -o json');
  });

  it('have their sentences beside them where there is room, else below', () => {
    const one = [tear('dangling-cluster', 7, 340)];
    expect(text(one, 220)).toEqual(text(one));
    expect(text(one, 70)).toEqual([
      'xds:///greeter   1 tear in 1 m 0 s',
      '',
      'KIND              BEGIN         LASTED  RESOURCES',
      'dangling-cluster  12:00:07.000  340 ms  CDS green (absent)',
      '    without A74: RPCs to cluster green would have failed: it is not',
      '      there · 1 route: 0: any path',
      '    with A74: held back: the configuration before stays in use',
    ]);
  });

  it.each([40, 80, 120])('fit in %i columns', (width) => {
    for (const line of text([tear('dangling-cluster', 7, 340)], width))
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });
});

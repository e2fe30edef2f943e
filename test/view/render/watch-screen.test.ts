import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/base/display-width.js';
import { open } from '../../../src/inspect/inspection.js';
import { ResourceFilter } from '../../../src/inspect/resource-filter.js';
import { eventLine, type Line } from '../../../src/view/event-line.js';
import { paintFor } from '../../../src/view/render/paint.js';
import { rowIds, screenFrame, type WatchedInspection } from '../../../src/view/render/watch-screen.js';
import { FIRST_SCREEN, type WatchScreen } from '../../../src/view/watch-screen.js';
import { HALF, live, SERVED } from '../../inspect/live-source.js';

const plain = await paintFor(false);
const colored = await paintFor(true);

/** An inspection some seconds after its start. */
async function watching(scenario: string, seconds = 1): Promise<{ watched: WatchedInspection; now: number }> {
  const { source, clock } = live(scenario);
  const inspection = await open(source);
  const log: Line[] = [];
  inspection.events.subscribe((event) => void log.push(eventLine(event)));
  inspection.start();
  clock.advanceBy(1000 * seconds);
  const filter = new ResourceFilter({ type: undefined, name: undefined, status: undefined });
  return { watched: { inspection, filter, log }, now: clock.now() };
}

function frame(
  { watched, now }: Awaited<ReturnType<typeof watching>>,
  screen: Partial<WatchScreen>,
  { columns, rows }: { columns: number; rows: number },
  paint = plain,
): ReturnType<typeof screenFrame> {
  const ageOf = (time: string): number => now - Date.parse(time);
  const rest = { isColored: false, isTerminal: true, showsTimes: false, listsAll: false };
  return screenFrame({ ...FIRST_SCREEN, ...screen }, watched, { paint, ageOf, width: columns, ...rest }, rows);
}

const USUAL = { columns: 80, rows: 24 };
const PAGES = ['table', 'details', 'events', 'tears', 'help'] as const;
const SIZES = [
  [200, 50],
  [80, 24],
  [40, 10],
  [39, 9],
  [20, 5],
  [8, 3],
  [1, 1],
] as const;

describe('the screen of watch', () => {
  it.each(SIZES.flatMap(([columns, rows]) => PAGES.map((page) => [page, columns, rows] as const)))(
    'fits the page %s into %i × %i',
    async (page, columns, rows) => {
      const running = await watching(HALF, 20);
      const selected = rowIds(FIRST_SCREEN, running.watched)[0];
      for (const more of [{}, { filter: '漢字'.repeat(50), isTyping: true }, { filter: 'cds' }, { scroll: 9 }]) {
        const { lines } = frame(running, { page, selected, ...more }, { columns, rows }, colored);
        expect(lines).toHaveLength(rows);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      }
    },
  );

  it('shows the latest events and the number of tears below the table, and the keys last', async () => {
    const { lines } = frame(await watching(HALF, 20), {}, USUAL);
    const title = lines.findIndex((line) => line.startsWith('Latest events'));
    expect(lines[title]).toBe('Latest events · 1 config tear, 1 open');
    expect(lines[title - 1]).toBe('');
    expect(lines.slice(title + 1, -1).filter((line) => line === '')).toEqual([]);
    expect(lines.at(-1)).toBe('q quit  j/k select  Enter details  / filter  e events  t tears  ? help');
  });

  it('marks the selected resource and keeps it in view', async () => {
    const many = Array.from({ length: 60 }, (_, i) => `c${String(i).padStart(2, '0')}`);
    const routes = many.map((name) => `{ match: { prefix: /${name} }, route: { cluster: ${name} } }`).join(', ');
    const scenario = SERVED.replace('{ match: { prefix: "" }, route: { cluster: blue } }', routes);
    const running = await watching(scenario);
    const ids = rowIds(FIRST_SCREEN, running.watched);
    expect(ids).toHaveLength(61);
    for (const selected of ids) {
      const { lines } = frame(running, { selected }, USUAL);
      const marked = lines.filter((line) => line.startsWith('› '));
      expect(marked).toHaveLength(1);
      expect(marked[0]).toContain(` ${selected.split('\n')[2]} `);
    }
  });

  it('lists only resources that match the filter, and shows the filter', async () => {
    const { lines } = frame(await watching(SERVED), { filter: 'eds' }, USUAL);
    expect(lines.filter((line) => /^(LDS|CDS|EDS) /.test(line))).toHaveLength(1);
    expect(lines.join('\n')).toContain('1 of 3 resources listed');
    expect(lines.at(-1)).toBe('filter "eds": Esc clear  q quit  j/k select  Enter details  ? help');
  });

  it('shows an error as it propagated', async () => {
    const running = await watching(HALF, 20);
    const selected = rowIds(FIRST_SCREEN, running.watched).find((id) => id.endsWith('\nblue'));
    expect(
      frame(running, { page: 'details', selected }, USUAL).lines.slice(0, -1).join('\n').trimEnd().split('\n'),
    ).toEqual([
      'CDS blue of xds:///greeter',
      '',
      '  status     DOES_NOT_EXIST: the control plane does not have it',
      '  version    none in use',
      '  requested  00:00:00 (20.0 s ago)',
      '  watchers   1',
      '',
      'Error as it propagated',
      '  error      NOT_FOUND: does not exist',
      '  cause      the resource timer expired (data error)',
      '  server     memory:p',
      '  since      00:00:15 (5.0 s ago)',
      '  effect     no version was cached',
      '  watchers   received OnResourceChanged (draft of A88: OnServerDataError)',
    ]);
  });

  it('follows the events, and scrolls back', async () => {
    const running = await watching(SERVED);
    const size = { columns: 80, rows: 6 };
    const newest = frame(running, { page: 'events' }, size);
    expect(newest.lines[4]).toContain(running.watched.log.at(-1)?.text);
    expect(frame(running, { page: 'events', scroll: 1 }, size).lines[4]).toContain(running.watched.log.at(-2)?.text);
    const oldest = frame(running, { page: 'events', scroll: newest.maxScroll }, size);
    expect(oldest.lines[0]).toContain(running.watched.log[0]?.text);
  });

  it('explains every status and key', async () => {
    const text = frame(await watching(SERVED), { page: 'help' }, { columns: 80, rows: 50 }).lines.join('\n');
    for (const word of ['ACKED', 'NACKED', 'REQUESTED', 'TIMEOUT', 'DOES_NOT_EXIST', 'RECEIVED_ERROR', 'Enter', 'Esc'])
      expect(text).toContain(`  ${word} `);
  });
});

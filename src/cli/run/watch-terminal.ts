import type { EventListener } from '../../inspect/event-feed.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import type { ResourceFilter } from '../../inspect/resource-filter.js';
import { readKeys } from '../../io/keyboard.js';
import { LivePicture } from '../../io/live-picture.js';
import { eventLine, type Line } from '../../view/event-line.js';
import { liveOptions, watchedScopes, watchFrame } from '../../view/render/watch-frame.js';
import { rowIds, screenFrame, type WatchedInspection } from '../../view/render/watch-screen.js';
import { FIRST_SCREEN, press } from '../../view/watch-screen.js';
import type { Printer } from '../printer.js';

/** Rows for the exit reason and the prompt. */
const LINES_BELOW = 2;
/** With fewer rows, the link to the page is omitted. */
const LEAST_ROWS = 6;
/** Limits the memory of the event log. */
const MAX_EVENTS = 1000;

/** The live table of an inspection. */
export interface WatchTerminal {
  /** Whether the user has quit. */
  readonly hasQuit: boolean;
  readonly onEvent: EventListener;
  refresh(): void;
  close(): void;
}

/** A live table that responds to keys. It is not interactive if stdin is not a terminal. `link`: the address of a page. */
export async function watchTerminal(
  inspection: ClientInspection,
  filter: ResourceFilter,
  out: Printer,
  link?: string,
): Promise<WatchTerminal> {
  const { env } = out;
  const { stdout, clock } = env;
  const page = await out.page(stdout, clock.now());
  const pageNow = () => {
    const now = clock.now();
    return { ...page, ageOf: (time: string): number => now - Date.parse(time), width: stdout.columns };
  };
  const log: Line[] = [];
  const watched: WatchedInspection = { inspection, filter, log };
  let screen = FIRST_SCREEN;
  let shown = { maxScroll: 0, height: 0 };

  const table = (rows: number): string[] =>
    watchFrame(watchedScopes(inspection, filter), rows, liveOptions(inspection, pageNow()), page.paint);
  const interactive = (rows: number): string[] => {
    const { lines, ...facts } = screenFrame(screen, watched, pageNow(), rows);
    shown = facts;
    return lines;
  };
  const frame = env.keyboard?.() === undefined ? table : interactive;
  // The screen hides the line that was printed before.
  const withLink = (rows: number): string[] =>
    link === undefined || rows < LEAST_ROWS ? frame(rows) : [page.paint.dim(`Page: ${link}`), ...frame(rows - 1)];
  const picture = new LivePicture(
    {
      frame: withLink,
      changedAt: inspection.changedAt,
      last: () => `${table(stdout.rows - LINES_BELOW).join('\n')}\n`,
    },
    env,
  );
  const stopKeys = readKeys(env, (key) => {
    screen = press(screen, key, { rows: rowIds(screen, watched), ...shown });
    picture.redraw();
  });
  return {
    get hasQuit() {
      return screen.isClosed;
    },
    onEvent: (event, isRepeated) => {
      if (isRepeated || !filter.isShownEvent(event)) return;
      log.push(eventLine(event));
      if (log.length > MAX_EVENTS) log.shift();
    },
    refresh: () => picture.refresh(),
    close: () => {
      stopKeys();
      picture.close();
    },
  };
}

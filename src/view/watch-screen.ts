import type { Key } from '../base/key.js';

/** The state of the screen of `watch` that keys change. */
export interface WatchScreen {
  page: 'table' | 'details' | 'events' | 'tears' | 'help';
  /** The id of the selected resource. */
  selected: string | undefined;
  /** Shows only resources whose type, name or status contains this text. */
  filter: string;
  isTyping: boolean;
  /** Lines from the start of a page; for events, lines from the end, so that new ones stay visible. */
  scroll: number;
  isClosed: boolean;
}

/** The visible rows that keys act on. */
export interface ShownRows {
  /** The ids of the resources in the table, in its order. */
  rows: readonly string[];
  /** The number of lines of a page that do not fit. */
  maxScroll: number;
  /** The number of lines of a page that fit. */
  height: number;
}

export const FIRST_SCREEN: WatchScreen = {
  page: 'table',
  selected: undefined,
  filter: '',
  isTyping: false,
  scroll: 0,
  isClosed: false,
};

/** The screen after a key. */
export function press(screen: WatchScreen, key: Key, shown: ShownRows): WatchScreen {
  if (screen.isTyping) return typed(screen, key);
  const change = COMMANDS[key.kind === 'character' ? key.text : key.kind];
  return change === undefined ? screen : { ...screen, ...change(screen, shown) };
}

type Change = (screen: WatchScreen, shown: ShownRows) => Partial<WatchScreen>;

const open =
  (page: WatchScreen['page']): Change =>
  (screen) => ({ page: screen.page === page ? 'table' : page, scroll: 0 });

const quit: Change = ({ page }) => (page === 'table' ? { isClosed: true } : { page: 'table', scroll: 0 });

/** Leaves the page, then clears the selection, then the filter. */
const back: Change = ({ page, selected }) => {
  if (page !== 'table') return { page: 'table', scroll: 0 };
  return selected === undefined ? { filter: '' } : { selected: undefined };
};

const move =
  (lines: (height: number) => number): Change =>
  (screen, shown) => {
    const by = lines(shown.height);
    if (screen.page === 'table') return { selected: moved(screen.selected, shown.rows, by) };
    const scroll = screen.scroll + (screen.page === 'events' ? -by : by);
    return { scroll: Math.max(0, Math.min(shown.maxScroll, scroll)) };
  };

const COMMANDS: Record<string, Change> = {
  q: quit,
  escape: back,
  j: move(() => 1),
  down: move(() => 1),
  k: move(() => -1),
  up: move(() => -1),
  'page-down': move((height) => height),
  'page-up': move((height) => -height),
  home: move(() => Number.NEGATIVE_INFINITY),
  end: move(() => Number.POSITIVE_INFINITY),
  enter: ({ page, selected }, { rows }) => {
    const id = selected !== undefined && rows.includes(selected) ? selected : rows[0];
    return page !== 'table' || id === undefined ? {} : { page: 'details', selected: id, scroll: 0 };
  },
  '/': () => ({ page: 'table', isTyping: true, scroll: 0 }),
  e: open('events'),
  t: open('tears'),
  '?': open('help'),
};

function typed(screen: WatchScreen, key: Key): WatchScreen {
  switch (key.kind) {
    case 'character':
      return { ...screen, filter: screen.filter + key.text, selected: undefined };
    case 'backspace':
      return { ...screen, filter: [...screen.filter].slice(0, -1).join(''), selected: undefined };
    case 'enter':
      return { ...screen, isTyping: false };
    case 'escape':
      return { ...screen, isTyping: false, filter: '' };
    default:
      return screen;
  }
}

/** The first key selects the first row, also if the selected row no longer exists. */
function moved(selected: string | undefined, rows: readonly string[], by: number): string | undefined {
  const at = selected === undefined ? -1 : rows.indexOf(selected);
  const to = at < 0 && by < 0 ? 0 : at + by;
  return rows[Math.max(0, Math.min(rows.length - 1, to))];
}

/** Whether a resource matches the filter typed on the screen. */
export function matchesFilter(
  filter: string,
  { type, name, status }: { type: string; name: string; status: string },
): boolean {
  const wanted = filter.toLowerCase();
  return [type, name, status].some((text) => text.toLowerCase().includes(wanted));
}

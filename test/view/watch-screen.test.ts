import { describe, expect, it } from 'vitest';
import type { Key } from '../../src/base/key.js';
import { FIRST_SCREEN, matchesFilter, press, type ShownRows, type WatchScreen } from '../../src/view/watch-screen.js';

const SHOWN: ShownRows = { rows: ['a', 'b', 'c', 'd'], maxScroll: 7, height: 3 };
const NAMED = new Set(['up', 'down', 'page-up', 'page-down', 'home', 'end', 'enter', 'escape', 'backspace']);

function keys(names: string): Key[] {
  return names
    .split(' ')
    .map((name) => (NAMED.has(name) ? ({ kind: name } as Key) : { kind: 'character', text: name }));
}

function screenAfter(names: string, shown = SHOWN): WatchScreen {
  return keys(names).reduce((screen, key) => press(screen, key, shown), FIRST_SCREEN);
}

describe('the screen of watch', () => {
  it.each<[keys: string, changed: Partial<WatchScreen>]>([
    ['x', {}],
    ['j', { selected: 'a' }],
    ['k', { selected: 'a' }],
    ['j down', { selected: 'b' }],
    ['j j j j j j', { selected: 'd' }],
    ['j j j up', { selected: 'b' }],
    ['end', { selected: 'd' }],
    ['end home', { selected: 'a' }],
    ['j page-down', { selected: 'd' }],
    ['end page-up', { selected: 'a' }],
    ['j j escape', {}],
    ['enter', { page: 'details', selected: 'a' }],
    ['j j enter', { page: 'details', selected: 'b' }],
    ['j enter j j', { page: 'details', selected: 'a', scroll: 2 }],
    ['j enter j j k k k', { page: 'details', selected: 'a' }],
    ['j enter j escape', { selected: 'a' }],
    ['j enter q', { selected: 'a' }],
    ['j enter enter', { page: 'details', selected: 'a' }],
    ['q', { isClosed: true }],
    ['? q', {}],
    ['? q q', { isClosed: true }],
    ['?', { page: 'help' }],
    ['? ?', {}],
    ['t', { page: 'tears' }],
    ['t end', { page: 'tears', scroll: 7 }],
    ['t page-down', { page: 'tears', scroll: 3 }],
    ['e', { page: 'events' }],
    ['e k k', { page: 'events', scroll: 2 }],
    ['e k k j j j', { page: 'events' }],
    ['e home', { page: 'events', scroll: 7 }],
    ['e k t', { page: 'tears' }],
    ['/', { isTyping: true }],
    ['/ q j', { isTyping: true, filter: 'qj' }],
    ['/ e 字 backspace', { isTyping: true, filter: 'e' }],
    ['/ 😀 backspace backspace', { isTyping: true }],
    ['/ e enter', { filter: 'e' }],
    ['/ e escape', {}],
    ['/ e enter escape', {}],
    ['/ e enter j escape', { filter: 'e' }],
    ['/ e enter / d', { isTyping: true, filter: 'ed' }],
    ['j / e', { isTyping: true, filter: 'e' }],
    ['/ up', { isTyping: true }],
    ['? /', { isTyping: true }],
  ])('after the keys %s', (names, changed) => expect(screenAfter(names)).toEqual({ ...FIRST_SCREEN, ...changed }));

  it('selects nothing if no resource is listed', () => {
    for (const key of ['j', 'k', 'end', 'enter'])
      expect(screenAfter(key, { ...SHOWN, rows: [] })).toEqual(FIRST_SCREEN);
  });

  it('selects the first row if the selected resource no longer exists', () => {
    const screen = { ...FIRST_SCREEN, selected: 'gone' };
    expect(press(screen, { kind: 'down' }, SHOWN).selected).toBe('a');
    expect(press(screen, { kind: 'enter' }, SHOWN)).toMatchObject({ page: 'details', selected: 'a' });
  });

  it.each<[filter: string, isShown: boolean]>([
    ['', true],
    ['cds', true],
    ['BLUE', true],
    ['nack', true],
    ['red', false],
  ])('matches a resource against the filter %j', (filter, isShown) =>
    expect(matchesFilter(filter, { type: 'CDS', name: 'greeter-blue', status: 'NACKED' })).toBe(isShown),
  );
});

import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Tab } from '../page-data.js';
import { findInput } from './find.js';
import { isDifference } from './panes/contents.js';
import { stepEvent, stepProblem } from './problems.js';
import {
  clientIndex,
  data,
  endResult,
  extent,
  find,
  hasHistory,
  selectResource,
  selectTargetOf,
  selectTime,
  shownWindow,
  side,
  tab,
  targetRef,
} from './store.js';
import { toggleTheme } from './theme.js';
import { pan, zoom } from './timeline/pointer.js';

export const isHelpOpen = signal(false);

/** The keys of the page, with what they do. Help lists them in this order. */
const KEYS: readonly { keys: readonly string[]; text: string; act(key: string): void }[] = [
  {
    keys: ['ArrowLeft', 'ArrowRight'],
    text: 'previous, next event',
    act: (key) => stepEvent(key === 'ArrowLeft' ? -1 : 1),
  },
  { keys: ['n', 'N'], text: 'next, previous problem', act: (key) => stepProblem(key === 'n' ? 1 : -1) },
  {
    keys: ['Home', 'End'],
    text: 'start, end of the session',
    act: (key) => selectTime(key === 'Home' ? extent.peek().from : undefined),
  },
  { keys: ['[', ']'], text: 'previous, next target', act: (key) => stepTarget(key === '[' ? -1 : 1) },
  { keys: ['+', '-'], text: 'zoom in, out', act: (key) => zoom(key === '+' ? 0.5 : 2) },
  { keys: ['<', '>'], text: 'move the window', act: (key) => pan(key === '<' ? -0.25 : 0.25) },
  {
    keys: ['0'],
    text: 'show the whole session',
    act: () => {
      shownWindow.value = undefined;
    },
  },
  { keys: ['1', '2', '3', '4', '5'], text: 'graph, contents, events, findings, checks or servers', act: selectTab },
  { keys: ['r'], text: 'type the method of an RPC', act: focusMethod },
  {
    keys: ['w'],
    text: 'what if',
    act: () => {
      if (hasHistory.peek()) side.value = 'whatif';
    },
  },
  {
    keys: ['d'],
    text: 'difference of two versions',
    act: () => {
      isDifference.value = true;
      tab.value = 'contents';
    },
  },
  { keys: ['t'], text: 'light or dark', act: toggleTheme },
  { keys: ['/'], text: 'find a resource or a target', act: () => findInput()?.focus() },
  {
    keys: ['?'],
    text: 'this list',
    act: () => {
      isHelpOpen.value = true;
    },
  },
  { keys: ['Escape'], text: 'clear the selection', act: clear },
];

function selectTab(key: string): void {
  const tabs: Tab[] = ['graph', 'contents', 'events', 'findings', lastTab()];
  tab.value = tabs[Number(key) - 1] ?? 'graph';
}

function lastTab(): Tab {
  const { check, compare } = data.peek() ?? {};
  return check !== undefined ? 'check' : compare !== undefined ? 'compare' : 'servers';
}

function stepTarget(step: number): void {
  const all = endResult.peek()?.verdicts ?? [];
  const ref = targetRef.peek();
  const index = all.findIndex((one) => one.scope === ref?.scope && one.target === ref.target);
  const next = all[(index + step + all.length) % all.length];
  if (next !== undefined) selectTargetOf(clientIndex.peek(), { scope: next.scope, target: next.target });
}

function focusMethod(): void {
  tab.value = 'graph';
  side.value = 'rpc';
  requestAnimationFrame(() => {
    const input = document.getElementById('rpc-method');
    input?.focus();
    if (input instanceof HTMLInputElement) input.select();
  });
}

function clear(): void {
  find.value = '';
  selectResource(undefined);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

export function startKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isHelpOpen.peek()) return;
    const isTyping = (event.target as Element).closest?.('input, textarea, select, [contenteditable]') !== null;
    if (isTyping && event.key !== 'Escape') return;
    const found = KEYS.find(({ keys }) => keys.includes(event.key));
    if (found === undefined) return;
    event.preventDefault();
    found.act(event.key);
  });
}

const SYMBOLS: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

function Keys({ keys }: { keys: readonly string[] }): JSX.Element {
  return (
    <>
      {keys.map((key) => (
        <kbd key={key}>{SYMBOLS[key] ?? key}</kbd>
      ))}
    </>
  );
}

const POINTER: readonly (readonly [string, string])[] = [
  ['drag in the timeline', 'move the time'],
  ['Shift + drag', 'select a window'],
  ['Ctrl + wheel', 'zoom'],
  ['Shift + wheel', 'move the window'],
  ['click a tear', 'zoom to it'],
];

export function Help(): JSX.Element | null {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  if (!isOpen) return null;
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={close}>
      <form method="dialog">
        <h2>Keys</h2>
        <dl>
          {KEYS.map(({ keys, text }) => (
            <div key={text}>
              <dt>
                <Keys keys={keys} />
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <h2>Pointer</h2>
        <dl>
          {POINTER.map(([what, text]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={close}>
          Close
        </button>
      </form>
    </dialog>
  );
}

const SHOWN: readonly (readonly [readonly string[], string])[] = [
  [['ArrowLeft', 'ArrowRight'], 'event'],
  [['n'], 'next problem'],
  [['+', '-'], 'zoom'],
  [['r'], 'RPC'],
  [['1', '–', '5'], 'panes'],
  [['w'], 'what if'],
  [['d'], 'difference'],
  [['?'], 'all keys'],
];

export function Footer(): JSX.Element {
  return (
    <footer class="bottom">
      {SHOWN.map(([keys, text]) => (
        <span key={text}>
          <Keys keys={keys} /> {text}
        </span>
      ))}
      <span class="spring" />
      <span>Predicted from the configuration; endpoints are not contacted. xds-inspect {data.value?.version}</span>
    </footer>
  );
}

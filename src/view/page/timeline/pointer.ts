import { moved, zoomed } from '../../timeline/scale.js';
import { extent, now, selectTime, shownWindow } from '../store.js';
import { visibleWindow } from './model.js';

type Window = readonly [number, number];

/** The time at a horizontal position in an element. */
export function timeAt(x: number, element: Element, [from, to]: Window): number {
  const { left, width } = element.getBoundingClientRect();
  return from + ((to - from) * Math.min(Math.max(0, x - left), width)) / width;
}

function wholeSession(): Window {
  const { from, end } = extent.peek();
  return [from, end];
}

/** Zooms around a time; undefined: around the selected time if it is visible. */
export function zoom(factor: number, around?: number): void {
  const window = visibleWindow.peek();
  const selected = now.peek();
  const middle = selected >= window[0] && selected <= window[1] ? selected : (window[0] + window[1]) / 2;
  shownWindow.value = zoomed(window, factor, around ?? middle, wholeSession());
}

/** Moves the window by a share of its length. */
export function pan(share: number): void {
  const window = shownWindow.peek();
  if (window !== undefined) shownWindow.value = moved(window, share * (window[1] - window[0]), wholeSession());
}

/** Shows a stretch of time with some room around it. */
export function zoomTo(from: number, to: number): void {
  const [start, end] = wholeSession();
  const room = Math.max(20, 0.6 * (to - from));
  shownWindow.value = [Math.max(start, from - room), Math.min(end, to + room)];
}

/** Ctrl + wheel zooms, Shift + wheel pans. */
export function onWheel(event: WheelEvent, plot: Element): void {
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoom(Math.exp(event.deltaY / 300), timeAt(event.clientX, plot, visibleWindow.peek()));
  } else if (event.shiftKey) {
    event.preventDefault();
    pan((event.deltaY + event.deltaX) / 1000);
  }
}

/** Follows the pointer until it is released, at most once per frame. */
export function drag(event: PointerEvent, onMove: (x: number, isEnd: boolean) => void): void {
  const element = event.currentTarget as HTMLElement;
  element.setPointerCapture(event.pointerId);
  let frame = 0;
  let x = event.clientX;
  const move = (next: PointerEvent): void => {
    x = next.clientX;
    if (frame === 0)
      frame = requestAnimationFrame(() => {
        frame = 0;
        onMove(x, false);
      });
  };
  const end = (): void => {
    cancelAnimationFrame(frame);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', end);
    element.removeEventListener('pointercancel', end);
    onMove(x, true);
  };
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', end);
  element.addEventListener('pointercancel', end);
}

/** Dragging in the plot moves the time; with Shift it selects a window. */
export function onPlotDown(
  event: PointerEvent,
  plot: Element,
  showSelection: (range: Window | undefined) => void,
): void {
  if (event.button !== 0) return;
  const window = visibleWindow.peek();
  const began = timeAt(event.clientX, plot, window);
  if (!event.shiftKey) {
    selectTime(began);
    drag(event, (x) => selectTime(timeAt(x, plot, window)));
    return;
  }
  event.preventDefault();
  drag(event, (x, isEnd) => {
    const other = timeAt(x, plot, window);
    const range: Window = [Math.min(began, other), Math.max(began, other)];
    showSelection(isEnd ? undefined : range);
    if (isEnd && range[1] - range[0] >= 10) shownWindow.value = range;
  });
}

import { effect } from '@preact/signals';
import { extent, live, shownWindow, time } from '../store.js';

/** While a live session is followed, a window that reaches its end moves on with it. */
export function startFollowing(): void {
  let before = extent.peek().end;
  effect(() => {
    const { end } = extent.value;
    const grown = end - before;
    const window = shownWindow.peek();
    const isAtEnd = window !== undefined && window[1] >= before - 1;
    before = end;
    if (live.value !== 'no' && time.value === undefined && isAtEnd && grown > 0)
      shownWindow.value = [window[0] + grown, window[1] + grown];
  });
}

import { signal } from '@preact/signals';

/** The width of the column of names, in pixels. The styles set it by the width of the page. */
const width = signal(columnWidth());
addEventListener('resize', () => {
  width.value = columnWidth();
});

function columnWidth(): number {
  const value = Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--names'), 10);
  return Number.isFinite(value) ? value : 270;
}

/** Icon, type, gaps and margins. */
const USED = 84;
const NAME_CHAR = 7.4;
const VALUE_CHAR = 6.8;

/** The number of characters of a name that fit beside a value. */
export function nameLimit(value: string): number {
  return Math.max(8, Math.floor((width.value - USED - VALUE_CHAR * value.length) / NAME_CHAR));
}

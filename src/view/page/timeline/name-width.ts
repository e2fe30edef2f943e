import { signal } from '@preact/signals';

/** The widths of the column of names and of the plot, in pixels. The styles set them by the width of the page. */
const width = signal(columnWidth());
const plotWidth = signal(innerWidth - columnWidth());
addEventListener('resize', () => {
  width.value = columnWidth();
  plotWidth.value = innerWidth - columnWidth();
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

/** A shorter part of a text tells nothing. */
const MIN_CHARS = 9;

/** Whether a text, or the first characters of a long one, fit into a share of the plot in percent. */
export function hasRoom(text: string, percent: number): boolean {
  return (plotWidth.value * percent) / 100 >= 10 + VALUE_CHAR * Math.min(text.length, MIN_CHARS);
}

import { eastAsianWidth } from 'get-east-asian-width';
import { once } from './once.js';

/** Characters with a width of one column. Most texts contain no others. */
const PLAIN = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u2193\u2500-\u257f\u2717]*$/;
/** Created on first use, like all patterns with classes of Unicode: V8 takes up to a millisecond for each. */
const colour = once(() => /\p{Cc}\[[0-9;]*m/gu);
/** Characters without a width. */
const invisible = once(() => /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Mn}\p{Me}]/u);
const emoji = once(
  () => /^\p{Emoji_Presentation}|^[\p{Emoji}\p{Extended_Pictographic}]\ufe0f|^\p{RI}{2}|^[\d#*]\ufe0f?\u20e3/u,
);

/** Created on first use, because its creation would slow down the start of every command. */
let segmenter: Intl.Segmenter | undefined;

/** Returns the width of a text in terminal columns, without colour codes. */
export function displayWidth(text: string): number {
  const shown = text.includes('\x1b') ? text.replace(colour(), '') : text;
  if (PLAIN.test(shown)) return shown.length;
  let width = 0;
  for (const character of graphemes(shown)) width += graphemeWidth(character);
  return width;
}

/** Pads a text with spaces. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

/** Truncates a text at its end, with `…`. */
export function cutEnd(text: string, columns: number): string {
  if (fits(text, columns)) return text;
  return columns < 1 ? '' : `${leading(text, columns - 1)}…`;
}

/** Truncates a text in the middle, with `…`. Keeps more of the end, because names usually differ there. */
export function cutMiddle(text: string, columns: number): string {
  if (fits(text, columns)) return text;
  if (columns < 1) return '';
  const before = Math.floor((columns - 1) / 3);
  return `${leading(text, before)}…${trailing(text, columns - 1 - before)}`;
}

/** Returns the longest prefix that fits. */
export function leading(text: string, columns: number): string {
  if (PLAIN.test(text)) return text.slice(0, columns);
  let width = 0;
  let result = '';
  for (const character of graphemes(text)) {
    width += graphemeWidth(character);
    if (width > columns) break;
    result += character;
  }
  return result;
}

function trailing(text: string, columns: number): string {
  if (PLAIN.test(text)) return text.slice(text.length - columns);
  let width = 0;
  let result = '';
  for (const character of [...graphemes(text)].reverse()) {
    width += graphemeWidth(character);
    if (width > columns) break;
    result = character + result;
  }
  return result;
}

function fits(text: string, columns: number): boolean {
  return displayWidth(text) <= columns;
}

function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** An emoji is two columns wide. Otherwise the first visible code point counts, plus any spacing marks. */
function graphemeWidth(character: string): number {
  if (emoji().test(character)) return 2;
  let width = 0;
  for (const one of character) {
    if (invisible().test(one)) continue;
    if (width === 0) width = eastAsianWidth(one.codePointAt(0) as number);
    else if (/\p{Mc}|[\uff9e\uff9f]/u.test(one)) width++;
  }
  return width;
}

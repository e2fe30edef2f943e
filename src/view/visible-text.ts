import { countText } from '../base/count-text.js';
import { once } from '../base/once.js';

/**
 * Text from a control plane may contain any character. Control characters, terminal escapes, and characters that hide or
 * reorder their neighbours are shown by their code. The same applies to many combining marks on one letter, which would be
 * drawn over other lines. Variation selectors after an emoji stay.
 */
const hidden = once(
  () =>
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{M}{3})\p{M}/gu,
);

/** For data formats: escapes every invisible character, including variation selectors after an emoji. */
const hiddenInData = once(() => new RegExp(`${hidden().source}|\\p{Default_Ignorable_Code_Point}`, 'gu'));

/** Most texts contain no other characters, and then V8 does not have to create the patterns, which takes a millisecond. */
const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_LINES = /^[\x20-\x7e\t\n]*$/;

/** Longer texts are cut in lines for people; data formats contain the complete text. */
const MAX_LENGTH = 300;
/** No text output contains a longer text, so that a name of megabytes does not hide the rest of the output. */
const MAX_TEXT = 10_000;

/** Escapes a text, and cuts it if it is very long. */
export function visible(text: string): string {
  return visibleUpTo(text, MAX_TEXT);
}

/** Escapes a text that must be complete, such as a command to copy. */
export function visibleWhole(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(hidden(), (c) =>
    c === '\n' ? '\\n' : c === '\t' ? '\\t' : `\\u{${(c.codePointAt(0) as number).toString(16)}}`,
  );
}

/** Whether a text contains characters that a data format has to escape, besides line breaks and tabs. */
export function hasHidden(text: string): boolean {
  return !PLAIN_LINES.test(text) && text.replace(/[\n\t]/g, '').search(hiddenInData()) >= 0;
}

/**
 * Escapes hidden characters in a document in which they occur only in quoted strings (JSON, double-quoted YAML). Parsers
 * decode the escapes. Line breaks and tabs stay.
 */
export function escapeHidden(text: string, format: 'json' | 'yaml'): string {
  if (PLAIN_LINES.test(text)) return text;
  return text.replace(hiddenInData(), (c) => {
    if (c === '\n' || c === '\t') return c;
    if (format === 'yaml' && c.length > 1) return `\\U${(c.codePointAt(0) as number).toString(16).padStart(8, '0')}`;
    return [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  });
}

export function visibleShort(text: string): string {
  return visibleUpTo(text, MAX_LENGTH);
}

function visibleUpTo(text: string, limit: number): string {
  // Text beyond the limit is not escaped: it may be megabytes.
  const shown = text.length > limit ? undefined : visibleWhole(text);
  if (shown !== undefined && shown.length <= limit) return shown;
  const start = startOf(text, limit - 1);
  return `${visibleWhole(start)}… (${more(text.length - start.length)})`;
}

/** The start of a text, escaped, with at most `limit` characters. */
export function visibleStart(text: string, limit: number): string {
  return visibleWhole(startOf(text, limit));
}

export function visibleEnd(text: string, limit: number): string {
  return visibleWhole(endOf(text, limit));
}

/** The longest start of a text that has at most `limit` characters when escaped. */
function startOf(text: string, limit: number): string {
  return longest(limit, Math.min(text.length, limit), (length) => text.slice(0, length));
}

function endOf(text: string, limit: number): string {
  return longest(limit, Math.min(text.length, limit), (length) => text.slice(text.length - length));
}

function longest(limit: number, maxLength: number, part: (length: number) => string): string {
  let [fits, tooLong] = [0, maxLength + 1];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (visibleWhole(wholeCharacters(part(middle))).length <= limit) fits = middle;
    else tooLong = middle;
  }
  return wholeCharacters(part(fits));
}

function more(count: number): string {
  return countText(count, 'more character');
}

/** For messages that must be shown literally, such as the status of an RPC: the limit is much higher. */
export function visibleMessage(text: string): string {
  return visibleUpTo(text, MAX_MESSAGE);
}

const MAX_MESSAGE = 4000;

/** A long name is cut in the middle, since names often differ at their end. */
export function visibleName(name: string): string {
  const shown = name.length > MAX_LENGTH ? undefined : visibleWhole(name);
  if (shown !== undefined && shown.length <= MAX_LENGTH) return shown;
  const [start, end] = [startOf(name, HALF), endOf(name, HALF)];
  return `${visibleWhole(start)}… (${more(name.length - start.length - end.length)}) …${visibleWhole(end)}`;
}

const HALF = MAX_LENGTH / 2 - 1;

/** Removes half surrogate pairs that a cut has left at the ends. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

/** For the start of a line: GitHub Actions treats a line that starts with `::` as a command. */
export function visibleAtStart(text: string): string {
  return text.replace(/^::/, '\\u{3a}:');
}

/** The same for every line of a text that people read. */
export function withoutCommands(text: string): string {
  return text.replace(/^([ \t]*)::/gm, '$1\\u{3a}:');
}

/** An error for stderr; every line starts with the program name. */
export function errorText(sentences: string): string {
  return sentences
    .split('\n')
    .map((sentence) => `xds-inspect: ${visible(sentence)}\n`)
    .join('');
}

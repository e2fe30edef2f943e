/**
 * Text from a control plane may hold anything. Control characters, terminal escapes, and characters that hide or
 * reorder what is next to them are shown by their code, so that what a person reads is what was sent. So are marks that
 * are piled up on one letter, which would be drawn over other lines. What makes an emoji of a sign is let be.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{M}{3})\p{M}/gu;

/** For data formats, which are not there for their looks: no exceptions, whatever stands before it. */
const HIDDEN_IN_DATA = new RegExp(`${HIDDEN.source}|\\p{Default_Ignorable_Code_Point}`, 'gu');

/** Longer texts are cut in lines meant for people; data formats carry them whole. */
const MAX_LENGTH = 300;

export function visible(text: string): string {
  return text.replace(HIDDEN, (c) =>
    c === '\n' ? '\\n' : c === '\t' ? '\\t' : `\\u{${(c.codePointAt(0) as number).toString(16)}}`,
  );
}

/** Whether a text has something in it that a data format has to escape; line breaks and tabs do not count. */
export function hasHidden(text: string): boolean {
  return text.replace(/[\n\t]/g, '').search(HIDDEN_IN_DATA) >= 0;
}

/**
 * The text of a document in which such characters stand in quoted strings only, as JSON and double-quoted YAML have
 * them: with escapes that are read back. Line breaks and tabs stay.
 */
export function escapeHidden(text: string, format: 'json' | 'yaml'): string {
  return text.replace(HIDDEN_IN_DATA, (c) => {
    if (c === '\n' || c === '\t') return c;
    if (format === 'yaml' && c.length > 1) return `\\U${(c.codePointAt(0) as number).toString(16).padStart(8, '0')}`;
    return [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  });
}

export function visibleShort(text: string): string {
  return visibleUpTo(text, MAX_LENGTH);
}

function visibleUpTo(text: string, limit: number): string {
  // What is beyond the limit need not be made visible: it may be megabytes.
  const shown = visible(text.length > limit ? text.slice(0, limit + 1) : text);
  return shown.length > limit ? `${wholeCharacters(shown.slice(0, limit - 1))}…` : shown;
}

/** What has to be read to the letter, such as the message that an RPC fails with, is cut only where nobody reads on. */
export function visibleMessage(text: string): string {
  return visibleUpTo(text, MAX_MESSAGE);
}

const MAX_MESSAGE = 4000;

/** A name that is too long loses its middle: the end tells it from others. */
export function visibleName(name: string): string {
  if (name.length <= MAX_LENGTH) {
    const shown = visible(name);
    if (shown.length <= MAX_LENGTH) return shown;
    return `${wholeCharacters(shown.slice(0, HALF))}…${wholeCharacters(shown.slice(-HALF))}`;
  }
  return `${visible(wholeCharacters(name.slice(0, HALF)))}…${visible(wholeCharacters(name.slice(-HALF)))}`;
}

const HALF = MAX_LENGTH / 2 - 1;

/** Without the halves of characters that a cut has left at the ends. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

/** For the start of a line: where GitHub reads along, one that begins with `::` is a command. */
export function visibleAtStart(text: string): string {
  return text.replace(/^::/, '\\u{3a}:');
}

/** An error on stderr; each of several lines is one, and all begin alike. */
export function errorText(sentences: string): string {
  return sentences
    .split('\n')
    .map((sentence) => `xds-inspect: ${visible(sentence)}\n`)
    .join('');
}

/**
 * Text from a control plane may hold anything. Control characters, terminal escapes, and characters that hide or
 * reorder what is next to them are shown by their code, so that what a person reads is what was sent.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Longer texts are cut in lines meant for people; data formats carry them whole. */
const MAX_LENGTH = 300;

export function visible(text: string): string {
  return text.replace(HIDDEN, (c) =>
    c === '\n' ? '\\n' : c === '\t' ? '\\t' : `\\u{${(c.codePointAt(0) as number).toString(16)}}`,
  );
}

/** Whether a text has something in it that would be shown by its code; line breaks and tabs do not count. */
export function hasHidden(text: string): boolean {
  return text.replace(/[\n\t]/g, '').search(HIDDEN) >= 0;
}

/**
 * The same for texts in which such characters may stand in quoted strings only, as JSON and double-quoted YAML have
 * them: by escapes that are read back. Line breaks and tabs stay.
 */
export function escapeHidden(text: string, format: 'json' | 'yaml'): string {
  return text.replace(HIDDEN, (c) => {
    if (c === '\n' || c === '\t') return c;
    if (format === 'yaml' && c.length > 1) return `\\U${(c.codePointAt(0) as number).toString(16).padStart(8, '0')}`;
    return [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  });
}

export function visibleShort(text: string): string {
  const shown = visible(text);
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH - 1)}…` : shown;
}

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

export function visibleShort(text: string): string {
  const shown = visible(text);
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH - 1)}…` : shown;
}

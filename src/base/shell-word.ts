import { once } from './once.js';

/** Characters that have no special meaning in a shell. */
const PLAIN = /^[\w@%+=:,./-]+$/;
/** Characters that a user cannot see or type, even in quotes. */
const unprintable = once(() => /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);

/** Quotes a word for a POSIX shell where needed; undefined if it cannot be typed safely. */
export function shellWord(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  if (unprintable().test(text)) return undefined;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Formats a command for a POSIX shell; undefined if one of its words cannot be typed. */
export function shellCommand(words: readonly string[]): string | undefined {
  const typed = words.map(shellWord);
  return typed.includes(undefined) ? undefined : typed.join(' ');
}

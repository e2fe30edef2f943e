/** Characters that no shell gives a meaning to. */
const PLAIN = /^[\w@%+=:,./-]+$/;
/** Quotes do not help a person who cannot see what they quote. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** A word as it is typed in a POSIX shell, quoted where needed; undefined if it cannot be typed safely. */
export function shellWord(text: string): string | undefined {
  if (UNPRINTABLE.test(text)) return undefined;
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command that runs as typed; undefined if one of its words cannot be typed. */
export function shellCommand(words: readonly string[]): string | undefined {
  const typed = words.map(shellWord);
  return typed.includes(undefined) ? undefined : typed.join(' ');
}

const MAX_NAMES = 3;
const MAX_LENGTH = 200;

/** `a, b, c and 2 more` */
export function listed(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, MAX_NAMES);
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}

/** Cuts a text of unbounded length. */
export function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

/** `explain` speaks of its flags; in a file these are keys. */
export function hintText(hint: string): string {
  return hint.replace(/--(method|default-authority)\b/g, (_, flag: string) => flag.replace('-', '_'));
}

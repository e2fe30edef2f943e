/** Whether Java's URI class accepts all characters of a text. It also accepts letters outside of ASCII. */
export function hasOnlyUriCharacters(text: string): boolean {
  return /^[^\s\p{Cc}<>"{}|\\^`]*$/u.test(text) && !/%(?![0-9a-fA-F]{2})/.test(text);
}

/** A text as one quoted word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command, after the name of the program, that prints the names of contexts. Problems of the file are not printed. */
export const LIST_CONTEXTS = 'context list -o name 2>/dev/null </dev/null';

/** How reading a recording ended: at its last line, at a truncated line, or with an error. */
export type FileEnd = { kind: 'whole' } | { kind: 'cut'; what: string } | { kind: 'unreadable'; what: string };

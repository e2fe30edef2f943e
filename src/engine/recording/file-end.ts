/** How the reading of a file ended: at its end, or before for a reason. */
export type FileEnd = { kind: 'whole' } | { kind: 'cut'; what: string } | { kind: 'unreadable'; what: string };

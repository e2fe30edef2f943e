/** A key of a terminal's keyboard that a screen uses. */
export type Key =
  | { kind: 'character'; text: string }
  | { kind: 'up' | 'down' | 'page-up' | 'page-down' | 'home' | 'end' | 'enter' | 'escape' | 'backspace' };

/** A key of a terminal's keyboard, as far as a screen uses it. */
export type Key =
  | { kind: 'character'; text: string }
  | { kind: 'up' | 'down' | 'page-up' | 'page-down' | 'home' | 'end' | 'enter' | 'escape' | 'backspace' };

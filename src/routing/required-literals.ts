/** Characters that can repeat the character before them, or make it optional. */
const REPETITIONS = '*+?{';
const SPECIAL = '.[]()^$|\\';

/**
 * The literal texts that every full match of an RE2 pattern contains, in this order and without overlap. To find them is
 * a hundred times faster than to compile the pattern. Empty if the pattern has none, or if that is not certain.
 */
export function requiredLiterals(pattern: string): string[] {
  const literals: string[] = [];
  let run = '';
  const end = (): void => {
    if (run !== '') literals.push(run);
    run = '';
  };
  for (let at = 0; at < pattern.length; ) {
    const next = itemEnd(pattern, at);
    if (next === undefined) return [];
    const literal = literalAt(pattern, at, next);
    if (literal === undefined || REPETITIONS.includes(pattern[next] ?? ' ')) end();
    else run += literal;
    at = next;
  }
  end();
  return literals;
}

/** Whether a text contains the literals in order. */
export function containsInOrder(text: string, literals: readonly string[]): boolean {
  let from = 0;
  for (const literal of literals) {
    const at = text.indexOf(literal, from);
    if (at < 0) return false;
    from = at + literal.length;
  }
  return true;
}

/** The character that an item stands for; undefined if it is not a literal. */
function literalAt(pattern: string, at: number, next: number): string | undefined {
  if (next - at === 2 && pattern[at] === '\\') return pattern[at + 1];
  const char = pattern[at] as string;
  return next - at > 1 || SPECIAL.includes(char) || REPETITIONS.includes(char) ? undefined : char;
}

/**
 * The end of the item at a position. Undefined if the literals cannot be known: alternatives outside of groups, flags
 * that ignore the case, and escapes other than those of punctuation, which may quote or stand for anything.
 */
function itemEnd(pattern: string, at: number): number | undefined {
  const char = pattern.charAt(at);
  if (char === '|' || char > '~') return undefined;
  if (char === '\\') return /[!-/:-@[-`{-~]/.test(pattern.charAt(at + 1)) ? at + 2 : undefined;
  if (char === '{') return closing(pattern, at, '}');
  if (char === '[') return classEnd(pattern, at);
  return char === '(' ? groupEnd(pattern, at) : at + 1;
}

function closing(pattern: string, at: number, close: string): number | undefined {
  const end = pattern.indexOf(close, at);
  return end < 0 ? undefined : end + 1;
}

/** Only simple classes. A `]` at the start of a class, also of a negated one, is one of its characters. */
function classEnd(pattern: string, at: number): number | undefined {
  const first = pattern[at + 1] === '^' ? at + 2 : at + 1;
  const end = closing(pattern, first + 1, ']');
  return end === undefined || /[\\[]/.test(pattern.slice(at + 1, end - 1)) ? undefined : end;
}

/** Only groups without flags. Their alternatives are not read. */
function groupEnd(pattern: string, at: number): number | undefined {
  if (pattern[at + 1] === '?' && pattern[at + 2] !== ':') return undefined;
  for (let i = at + 1; i < pattern.length; ) {
    if (pattern[i] === ')') return i + 1;
    const next = pattern[i] === '|' ? i + 1 : itemEnd(pattern, i);
    if (next === undefined) return undefined;
    i = next;
  }
  return undefined;
}

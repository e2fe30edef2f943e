import { RE2JS } from 're2js';

/**
 * RE2, never JavaScript's own expressions: the verdict is RE2's, and no pattern can take for ever. What the package
 * refuses although RE2 takes it cannot be told, and counts as no match.
 */
const compiled = new Map<string, RE2JS | undefined>();
const MAX_COMPILED = 1000;

/** Whether a pattern matches the whole text; undefined where that cannot be told. */
export function fullMatch(pattern: string, text: string): boolean | undefined {
  return expression(pattern)?.matches(text);
}

/** Whether a pattern matches somewhere in the text; undefined where that cannot be told. */
export function partialMatch(pattern: string, text: string): boolean | undefined {
  return expression(pattern)?.matcher(text).find();
}

/** Every match replaced; `\\1` in the replacement is the first group, as in RE2. Undefined where that cannot be told. */
export function replaceAll(pattern: string, text: string, replacement: string): string | undefined {
  // The package writes groups as JavaScript does: `$1`, and `$&` for all of it.
  const translated = replacement.replace(/\\([\d\\])|\$/g, (mark, after: string | undefined) => {
    if (mark === '$') return '$$';
    if (after === '\\') return after;
    return after === '0' ? '$&' : `$${after}`;
  });
  return expression(pattern)?.matcher(text).replaceAll(translated);
}

function expression(pattern: string): RE2JS | undefined {
  if (!compiled.has(pattern)) {
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(pattern, compile(pattern));
  }
  return compiled.get(pattern);
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

import { RE2JS } from 're2js';
import { containsInOrder, requiredLiterals } from './required-literals.js';

/**
 * Uses RE2 and not JavaScript's expressions: gRPC uses RE2, and RE2 has no exponential patterns. A pattern that the package
 * rejects although RE2 accepts it counts as no match.
 */
const compiled = new Map<string, RE2JS | undefined>();
const MAX_COMPILED = 1000;

/** Whether a pattern matches the whole text; undefined, or false, if the package does not support it. */
export function fullMatch(pattern: string, text: string): boolean | undefined {
  // A virtual host can have 100,000 patterns, and nearly all of them contain a literal that the text lacks.
  if (!compiled.has(pattern) && !containsInOrder(text, requiredLiterals(pattern))) return false;
  return expression(pattern)?.matches(text);
}

/** Whether a pattern matches a part of the text; undefined if the package does not support it. */
export function partialMatch(pattern: string, text: string): boolean | undefined {
  return expression(pattern)?.matcher(text).find();
}

/** Replaces every match; `\\1` in the replacement is the first group. Undefined if the pattern is not supported. */
export function replaceAll(pattern: string, text: string, replacement: string): string | undefined {
  // The package writes groups as JavaScript does: `$1`, and `$&` for the whole match.
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

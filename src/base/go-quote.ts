const NAMED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** Quotes a text like Go's `%q`: letters, marks, numbers, punctuation, symbols and spaces are printed as they are. */
export function quoteGo(text: string): string {
  return `"${[...text].map((c) => NAMED[c] ?? (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(c) ? c : escaped(c))).join('')}"`;
}

function escaped(c: string): string {
  const point = c.codePointAt(0) ?? 0;
  const hex = (digits: number): string => point.toString(16).padStart(digits, '0');
  if (point < 0x80) return `\\x${hex(2)}`;
  return point > 0xffff ? `\\U${hex(8)}` : `\\u${hex(4)}`;
}

/** A value has at most this many characters in a list of changes. */
const WIDTH = 120;
/** How much of the common start of two long texts is shown. */
const COMMON = 20;

/** Texts that without quotes would read as another type, or of which the ends are not visible. */
const NEEDS_QUOTES = /^$|^\s|\s$|^["'[{]|^(?:true|false|null|NaN|[-+]?(?:Infinity|\d+\.?\d*(?:e[-+]?\d+)?))$/;

/** Two values as short texts. Of two long texts, the part around the first difference is shown. */
export function shortValues(before: unknown, after: unknown): [string, string] {
  if (typeof before !== 'string' || typeof after !== 'string') return [shortValue(before), shortValue(after)];
  const start = Math.max(before.length, after.length) > WIDTH ? commonStart(before, after) - COMMON : 0;
  return [before, after].map((text) =>
    start > COMMON ? cut(`…${text.slice(start, start + WIDTH)}`) : shortValue(text),
  ) as [string, string];
}

/** A value as a short text: compact JSON, but a text without quotes where it stays clear that it is one. */
export function shortValue(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') {
    const start = value.slice(0, WIDTH + 1);
    return cut(NEEDS_QUOTES.test(start) ? JSON.stringify(start) : start);
  }
  const parts: string[] = [];
  write(value, parts, { left: WIDTH + 1 });
  return cut(parts.join(''));
}

/** Writes JSON until nothing is left. Each level takes a character, so that nesting is limited too. */
function write(value: unknown, parts: string[], room: { left: number }): void {
  const put = (text: string): void => {
    parts.push(text);
    room.left -= text.length;
  };
  if (typeof value !== 'object' || value === null) {
    const isText = typeof value === 'string';
    put(isText ? JSON.stringify(value.slice(0, room.left)) : Object.is(value, -0) ? '-0' : String(value));
    return;
  }
  const isList = Array.isArray(value);
  put(isList ? '[' : '{');
  let separator = '';
  // Reading keys of a large list would take long for a few characters.
  for (const key of isList ? value.keys() : Object.keys(value)) {
    if (room.left <= 0) return;
    const inner = (value as Record<string | number, unknown>)[key];
    if (!isList && inner === undefined) continue;
    put(isList ? separator : `${separator}${JSON.stringify(String(key).slice(0, room.left))}: `);
    write(inner, parts, room);
    separator = ', ';
  }
  put(isList ? ']' : '}');
}

function cut(text: string): string {
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`;
}

function commonStart(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let length = 0;
  while (length < shorter && a[length] === b[length]) length++;
  return length;
}

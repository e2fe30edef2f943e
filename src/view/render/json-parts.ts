import { isObject, isSmall } from './value-size.js';

/** The values that are converted at once. */
const MAX_VALUES = 5000;

/** The indented text of `JSON.stringify` in parts, so that a large document needs little memory and can be interrupted. */
export function* jsonParts(value: unknown, indent = '', maxValues = MAX_VALUES): Iterable<string> {
  if (isSmall(value, maxValues)) {
    // A newline in a text is escaped, so this indents lines.
    yield JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
    return;
  }
  const inner = `${indent}  `;
  let separator = '';
  if (Array.isArray(value)) {
    for (const element of value) {
      yield `${separator === '' ? '[' : separator}\n${inner}`;
      yield* jsonParts(element, inner, maxValues);
      separator = ',';
    }
    yield `\n${indent}]`;
  } else if (isObject(value)) {
    for (const [key, one] of Object.entries(value)) {
      if (one === undefined) continue;
      yield `${separator === '' ? '{' : separator}\n${inner}${JSON.stringify(key)}: `;
      yield* jsonParts(one, inner, maxValues);
      separator = ',';
    }
    yield `\n${indent}}`;
  }
}

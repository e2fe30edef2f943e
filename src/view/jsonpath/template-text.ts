import type { Documents } from '../documents.js';
import type { Page } from '../formats.js';
import { jsonValue } from '../json-values.js';
import { isObject, isSmall } from '../render/value-size.js';
import { escapeHidden, visibleWhole } from '../visible-text.js';
import { evaluate } from './evaluate.js';
import type { Template } from './template.js';

/** The values that are converted at once. */
const MAX_VALUES = 5000;

/** The output for a document. As in kubectl, no line break is added, except on a terminal. */
export async function documentParts<K extends keyof Documents>(
  template: Template,
  kind: K,
  document: Documents[K],
  { isTerminal }: Page,
): Promise<Iterable<string>> {
  const parts = templateParts(template, await jsonValue(kind, document));
  return isTerminal ? withLastLine(parts) : parts;
}

/** Converts JSON lines: each to a line with its output, or to nothing. */
export function templateLines(template: Template): (json: string) => string {
  return (json) => (json === '' ? '' : [...withLastLine(templateParts(template, JSON.parse(json)))].join(''));
}

/**
 * The output of a template for one document. Texts of the document are escaped, so that each stays on its line; those of
 * the template are printed as they are.
 */
export function* templateParts(template: Template, document: unknown): Iterable<string> {
  const line = new LineStart();
  for (const piece of evaluate(template, document)) {
    if ('text' in piece) yield line.add(piece.text);
    else if (typeof piece.value === 'string') yield line.addValue(visibleWhole(piece.value));
    else for (const part of compactParts(piece.value)) yield line.add(escapeHidden(part, 'json'));
  }
}

/** Adds a line break to a text that has none at its end. */
function* withLastLine(parts: Iterable<string>): Iterable<string> {
  let last = '\n';
  for (const part of parts) {
    last = part === '' ? last : part;
    yield part;
  }
  if (!last.endsWith('\n')) yield '\n';
}

/** `JSON.stringify` in parts, so that a large value needs little memory. */
function* compactParts(value: unknown): Iterable<string> {
  if (isSmall(value, MAX_VALUES)) {
    yield JSON.stringify(value);
    return;
  }
  let separator = '';
  if (Array.isArray(value)) {
    yield '[';
    for (const element of value) {
      yield separator;
      yield* compactParts(element ?? null);
      separator = ',';
    }
    yield ']';
  } else if (isObject(value)) {
    yield '{';
    for (const [key, one] of Object.entries(value)) {
      if (one === undefined) continue;
      yield `${separator}${JSON.stringify(key)}:`;
      yield* compactParts(one);
      separator = ',';
    }
    yield '}';
  }
}

/** GitHub Actions treats a line that starts with `::` as a command. The template may print one, a value may not. */
class LineStart {
  /** The first two characters of the line, without spaces before them. */
  #start = '';

  add(text: string): string {
    const line = text.slice(text.lastIndexOf('\n') + 1);
    this.#start = (line === text ? this.#start + line : line).trimStart().slice(0, 2);
    return text;
  }

  /** Adds a text without line breaks. */
  addValue(text: string): string {
    const isCommand = !this.#start.startsWith('::') && (this.#start + text).trimStart().startsWith('::');
    return this.add(isCommand ? text.replace(':', '\\u{3a}') : text);
  }
}

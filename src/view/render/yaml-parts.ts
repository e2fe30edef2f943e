import { isObject, isSmall, sizeOf } from './value-size.js';
import { yamlText } from './yaml.js';

/** The values that are converted at once. Their YAML nodes need about a kilobyte each. */
const MAX_VALUES = 5000;

/** The text of `yamlText` in parts, so that a large document needs little memory and can be interrupted. */
export function* yamlParts(document: unknown, maxValues = MAX_VALUES): Iterable<string> {
  if (!isObject(document) || isSmall(document, maxValues)) yield yamlText(document);
  else yield* objectParts(document, '', maxValues);
}

function* objectParts(object: Record<string, unknown>, indent: string, max: number): Iterable<string> {
  for (const [key, value] of Object.entries(object)) {
    if (isSmall(value, max)) yield indented(yamlText({ [key]: value }), indent);
    else {
      yield indented(yamlText({ [key]: 0 }).replace(/ 0\n$/, '\n'), indent);
      if (Array.isArray(value)) yield* listParts(value, `${indent}  `, max);
      else yield* objectParts(value as Record<string, unknown>, `${indent}  `, max);
    }
  }
}

function* listParts(list: readonly unknown[], indent: string, max: number): Iterable<string> {
  let batch: unknown[] = [];
  let left = max;
  const flush = (): string => {
    const text = batch.length === 0 ? '' : indented(yamlText(batch), indent);
    batch = [];
    left = max;
    return text;
  };
  for (const element of list) {
    const size = sizeOf(element, max);
    if (size > left) yield flush();
    if (isSmall(element, max)) {
      batch.push(element);
      left -= size;
      continue;
    }
    const inner = `${indent}  `;
    const parts = Array.isArray(element)
      ? listParts(element, inner, max)
      : objectParts(element as Record<string, unknown>, inner, max);
    let mark = `${indent}- `;
    for (const part of parts) {
      if (part === '') continue;
      yield mark + part.slice(mark.length);
      mark = '';
    }
  }
  yield flush();
}

function indented(text: string, indent: string): string {
  return indent === '' ? text : text.replace(/^(?=.)/gm, indent);
}

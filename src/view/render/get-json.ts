import type { GetView } from '../get.js';
import { escapeHidden } from '../visible-text.js';
import { jsonParts } from './json-parts.js';

const EMPTY_LIST = '\n  "resources": []';

/** The JSON of `jsonDocument` in parts: a string cannot hold the JSON of all resources. */
export function* resourcesJson(view: GetView): Iterable<string> {
  const text = JSON.stringify({ ...view, resources: [] }, null, 2);
  // A quote in a string is escaped, so this is the list.
  const at = text.indexOf(EMPTY_LIST) + EMPTY_LIST.length - 1;
  yield escapeHidden(text.slice(0, at), 'json');
  let separator = '';
  for (const resource of view.resources) {
    yield `${separator}\n    `;
    // A copy: the JSON of a resource is computed each time it is read.
    for (const part of jsonParts({ ...resource }, '    ')) yield escapeHidden(part, 'json');
    separator = ',';
  }
  yield escapeHidden(`${separator === '' ? '' : '\n  '}${text.slice(at)}\n`, 'json');
}

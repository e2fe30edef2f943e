import { differenceData, diffHead } from '../../diff/diff-data.js';
import type { DiffDocument } from '../../diff/diff-summary.js';
import { escapeHidden } from '../../visible-text.js';
import { jsonParts } from '../json-parts.js';
import { yamlText } from '../yaml.js';
import { yamlParts } from '../yaml-parts.js';

const LIST = 'resources:\n';

/** The JSON of a document in parts: each resource is decoded when it is printed. */
export function* diffJson(document: DiffDocument): Iterable<string> {
  const head = JSON.stringify(diffHead(document), null, 2);
  yield escapeHidden(`${head.slice(0, -2)},\n  "resources": [`, 'json');
  let separator = '';
  for (const difference of document.diff.differences) {
    yield `${separator}\n    `;
    for (const part of jsonParts(differenceData(difference, document.showSecrets), '    '))
      yield escapeHidden(part, 'json');
    separator = ',';
  }
  yield `${separator === '' ? '' : '\n  '}]\n}\n`;
}

/** The same document as YAML. */
export function* diffYaml(document: DiffDocument): Iterable<string> {
  const { differences } = document.diff;
  yield yamlText(diffHead(document));
  yield differences.length === 0 ? 'resources: []\n' : LIST;
  for (const difference of differences) {
    const parts = [...yamlParts({ resources: [differenceData(difference, document.showSecrets)] })];
    yield parts.join('').slice(LIST.length);
  }
}

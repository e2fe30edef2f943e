import type { ExplainDocument } from '../documents.js';
import { explainDocuments } from './explain.js';
import { yamlText } from './yaml.js';

/** One YAML document per target. */
export function explainYaml(document: ExplainDocument): string {
  return explainDocuments(document).map(yamlText).join('---\n');
}

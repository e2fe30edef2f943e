import { isNode } from 'yaml';
import type { NewFile } from '../../inspect/expect/new-file.js';
import { visible } from '../visible-text.js';
import { yamlNodes, yamlNodesText } from './yaml.js';

/** Points editors to the JSON schema of the file. */
const SCHEMA = '# yaml-language-server: $schema=node_modules/xds-inspect/docs/schemas/expectations.schema.json';

/** The file as YAML, with comments after values and above lists. */
export function expectationsFile({ file, comments }: NewFile): string {
  const nodes = yamlNodes(file);
  for (const { path, text } of comments) {
    const node = nodes.getIn(path, true);
    if (!isNode(node)) continue;
    const comment = ` ${visible(text)}`;
    if ('items' in node) node.commentBefore = [...(node.commentBefore ? [node.commentBefore] : []), comment].join('\n');
    else node.comment = comment;
  }
  return `${SCHEMA}\n${yamlNodesText(nodes)}`;
}

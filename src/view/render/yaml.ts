import { Document, visit } from 'yaml';
import { escapeHidden, hasHidden } from '../visible-text.js';

/** A document as YAML with hidden characters escaped. */
export function yamlText(document: unknown): string {
  return yamlNodesText(yamlNodes(document));
}

export function yamlNodes(document: unknown): Document {
  const nodes = new Document(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(nodes, {
    Scalar(place, node) {
      if (typeof node.value !== 'string') return;
      // A key is at the start of its line.
      const isCommand = place === 'key' && node.value.startsWith('::');
      if (isCommand || needsQuotes(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return nodes;
}

export function yamlNodesText(nodes: Document): string {
  const text = nodes.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return escapeHidden(text, 'yaml');
}

/**
 * Other YAML styles lose spaces and empty lines at the edges of a multi-line text. And GitHub Actions treats a line that
 * starts with `::` as a command.
 */
function needsQuotes(text: string): boolean {
  return hasHidden(text) || (text.includes('\n') && /^\s|[ \t]\n|[ \t]$|\n\n$|\n\s*::|^::/.test(text));
}

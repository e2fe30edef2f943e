import { Document, visit } from 'yaml';
import { escapeHidden, hasHidden } from '../visible-text.js';

/** A document as YAML; loaded only where it is asked for. Characters that hide are escaped, so that they do not. */
export function yamlText(document: unknown): string {
  return yamlNodesText(yamlNodes(document));
}

export function yamlNodes(document: unknown): Document {
  const nodes = new Document(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(nodes, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && needsQuotes(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return nodes;
}

export function yamlNodesText(nodes: Document): string {
  const text = nodes.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return escapeHidden(text, 'yaml');
}

/**
 * Spaces and empty lines at the edges of a text of several lines do not survive the other styles; and a line of it that
 * begins with `::` would be a command where GitHub reads along.
 */
function needsQuotes(text: string): boolean {
  return hasHidden(text) || (text.includes('\n') && /^\s|[ \t]\n|[ \t]$|\n\n$|\n\s*::|^::/.test(text));
}

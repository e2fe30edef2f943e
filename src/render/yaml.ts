import { Document, Scalar, visit } from 'yaml';
import { UNSEEN } from '../view/visible-text.js';

/**
 * A document as YAML in which everything can be seen; loaded only where it is asked for. A text is never spread over
 * several lines: a line of it could pass for something else, as `::error::` does where GitHub reads along.
 */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, node) => {
      // Only between double quotes can a character be written by its code.
      if (typeof node.value === 'string' && node.value.search(UNSEEN) !== -1) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document
    .toString({ lineWidth: 0, blockQuote: false, doubleQuotedAsJSON: true })
    .replace(UNSEEN, (c) => (c === '\n' ? c : `\\U${(c.codePointAt(0) as number).toString(16).padStart(8, '0')}`));
}

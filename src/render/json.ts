import { UNSEEN } from '../view/visible-text.js';

/** A document as JSON in which everything can be seen; the same document to whoever parses it. */
export function jsonText(document: unknown, indent?: number): string {
  return JSON.stringify(document, null, indent).replace(UNSEEN, (c) => (c === '\n' ? c : escaped(c)));
}

/** `\u001b`, and two of them for what is beyond 16 bits. */
function escaped(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

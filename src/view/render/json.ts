import type { Page } from '../formats.js';
import { escapeHidden } from '../visible-text.js';

/** A value as JSON with hidden characters escaped; on one line, or indented. */
export function jsonText(value: unknown, isOneLine = false): string {
  return `${escapeHidden(JSON.stringify(value, null, isOneLine ? undefined : 2), 'json')}\n`;
}

export function jsonDocument(document: unknown): string {
  return jsonText(document);
}

/** Several documents, one after the other. */
export function jsonDocuments(documents: readonly unknown[]): string {
  return documents.map((document) => jsonText(document)).join('');
}

/** One object per line. */
export function jsonLines(_page: Page): (item: object) => string {
  return (item) => jsonText(item, true);
}

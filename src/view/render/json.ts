import { escapeHidden } from '../visible-text.js';

/** A value as JSON in which nothing hides; on one line, or indented. */
export function jsonText(value: unknown, isOneLine = false): string {
  return `${escapeHidden(JSON.stringify(value, null, isOneLine ? undefined : 2), 'json')}\n`;
}

import { escapeHidden } from '../visible-text.js';

/** YAML in which nothing hides. */
export function expectationsFile(text: string): string {
  return escapeHidden(text, 'yaml');
}

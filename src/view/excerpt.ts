import { isSecretName, REDACTED } from '../base/secret-name.js';
import { visible } from './visible-text.js';

const WIDTH = 100;

/** A key of JSON with its text or number. */
const FIELD = /("([^"]*)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|-?\d[^\s,}\]]*)/g;

/** The line of a place with a mark under it, cut to the width. Secrets are redacted first. */
export function excerptOf(bytes: Uint8Array, { line, column }: { line: number; column: number }): string[] {
  const text = new TextDecoder().decode(bytes).split('\n')[line - 1];
  if (text === undefined || text.trim() === '') return [];
  const characters = [...text.replace(/\r$/, '')];
  const before = withoutSecrets(characters.slice(0, column - 1).join(''));
  const after = withoutSecrets(characters.join('')).slice(before.length);
  const shift = Math.max(0, before.length - WIDTH / 2);
  const shownBefore = `${shift > 0 ? '…' : ''}${before.slice(shift)}`;
  const number = String(line).padStart(4);
  const shown = visible(`${shownBefore}${after}`.slice(0, WIDTH));
  return [`${number} | ${shown}`, `     | ${' '.repeat(visible(shownBefore).length)}^`];
}

function withoutSecrets(text: string): string {
  return text.replace(FIELD, (field, key: string, name: string) =>
    isSecretName(name) ? `${key}"${REDACTED}"` : field,
  );
}
